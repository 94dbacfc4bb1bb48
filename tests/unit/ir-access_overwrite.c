/* Which arrays every launch overwrites: a table of stores with the answer that is expected, and random nests whose
   answers are compared with traces at small parameter points. In the nests digits, guards, reversals, pieces and reads
   are drawn so that many are overwritten and the others just not. The seed is printed; arguments:
   seed, number of kernels. */
#include "tests/unit/ir-access_judge.h"

enum { KERNELS = 250, POINTS = 14, TRIES = 60 };

struct row {
    const char *grid, *body;
    bool overwritten;                 /* is `a` of n rows and m columns (a flat array of n * m: `f`, an open one: `o`; a square: `q`)? */
};

/* Grid g and h, block l and e of B and C threads; s is a tunable. */
static const char *const CEIL = "grid int g < (n + B - 1) / B; grid int h < (m + C - 1) / C;";
static const char *const FLOOR = "grid int g < n / B; grid int h < m / C;";
static const char *const PIECES = "grid int g < (n + s * B - 1) / (s * B); grid int h < (m + C - 1) / C;";

static const char *const SQUARE = "grid int g < (n + B - 1) / B; grid int h < (n + C - 1) / C;";

#define I "(g * B + l)"
#define J "(h * C + e)"
static const struct row ROWS[] = {
    {"ceil", "if (" I " < n && " J " < m) { a[" I "][" J "] = 1; }", true},
    {"floor", "a[" I "][" J "] = 1;", false},
    {"ceil", "if (" I " < n - 1 && " J " < m) { a[" I "][" J "] = 1; }", false},
    {"ceil", "if (" I " >= 1 && " I " < n && " J " < m) { a[" I "][" J "] = 1; }", false},
    {"ceil", "if (" I " < n && " J " < m) { a[n - 1 - " I "][" J "] = 1; }", true},
    {"ceil", "if (" I " < n && " J " < m && " J " <= " I ") { a[" I "][" J "] = 1; }", false},
    {"ceil", "if (" I " < n && " J " < m && t > 0) { a[" I "][" J "] = 1; }", false},
    {"ceil", "if (" I " < n && " J " < m && b[" I "] > 0) { a[" I "][" J "] = 1; }", false},
    {"ceil", "if (" I " < n && " J " < m) { a[" I "][" J "] = a[" I "][" J "] + 1; }", false},
    {"ceil", "if (" I " < n && " J " < m) { a[" I "][" J "] = 0; a[" I "][" J "] = a[" I "][" J "] + 1; }", true},
    {"ceil", "if (" I " < n && " J " < m) { a[" I "][" J "] = 0; for (int k = 0; k < n; k += 1) { a[" I "][" J "] = a[" I
             "][" J "] + b[k]; } }", true},
    {"ceil", "if (" I " < n && " J " < m) { for (int k = 0; k < t; k += 1) { a[" I "][" J "] = 0; } }", false},
    {"ceil", "if (" I " < n && " J " < m) { for (int k = 0; k < n; k += 1) { a[" I "][" J "] = 0; } }", true},
    {"ceil", "if (" I " < n && " J " < m) { a[" I "][" J "] = a[" I "][0]; }", false},
    {"ceil", "if (" I " < n) { for (int k = 0; k < m; k += 1) { a[" I "][k] = 1; } }", true},
    {"ceil", "if (" I " < n) { for (int k = 1; k < m; k += 1) { a[" I "][k] = 1; } }", false},
    {"ceil", "if (" I " < n) { for (int k = 0; k < m; k += 2) { a[" I "][k] = 1; } }", false},
    {"ceil", "if (" I " < n) { for (int k = 0; k < " I " + 1; k += 1) { if (k < m) { a[" I "][k] = 1; } } }", false},
    {"ceil", "if (" I " < n && " J " < m) { f[" I " * m + " J "] = 1; }", true},
    {"ceil", "if (" I " < n && " J " < m) { f[" J " * n + " I "] = 1; }", true},
    {"ceil", "if (" I " < n && " J " < m) { f[" I " * n + " J "] = 1; }", false},
    {"ceil", "if (" I " < n && 2 * " J " < m) { f[" I " * m + 2 * " J "] = 1; }", false},
    {"square", "if (" J " < n && " I " <= " J ") { q[" I "][" J "] = 1; q[" J "][" I "] = q[" I "][" J "]; }", true},
    {"square", "if (" I " < n && " J " <= " I ") { q[" I "][" J "] = 1; q[" J "][" I "] = 2; }", true},
    {"square", "if (" J " < n && " I " < " J ") { q[" I "][" J "] = 1; q[" J "][" I "] = 2; }", false},
    {"square", "if (" J " < n && " I " <= " J ") { q[" I "][" J "] = 1; if (t > 0) { q[" J "][" I "] = 2; } }", false},
    {"square", "if (" J " < n - 1 && " I " <= " J ") { q[" I "][" J "] = 1; q[" J "][" I "] = 2; }", false},
    {"square", "if (" J " < n && " I " <= " J ") { q[" I "][" J "] = 1; q[" J "][" J "] = 2; }", false},
    {"square", "if (" J " < n && " I " <= " J ") { q[" J "][" I "] = q[" I "][" J "]; q[" I "][" J "] = 1; }", false},
    {"ceil", "if (" I " < n) { o[" I "] = 1; }", true},
    {"ceil", "if (" I " < n) { o[" I "] = 1; o[" I " + 1] = 1; }", false},
    {"ceil", "if (" I " < n && t > 0) { o[" I "] = 1; }", false},
    {"ceil", "if (" I " < n && " J " < m) { o[" I " * m + " J "] = 1; }", true},
    {"floor", "o[" I "] = 1;", true},
    {"pieces", "for (int k = 0; k < s; k += 1) { if ((g * s + k) * B + l < n && " J " < m) { a[(g * s + k) * B + l][" J "] = 1; } }",
     true},
    {"pieces", "for (int k = 0; k < s; k += 1) { if ((g * B + l) * s + k < n && " J " < m) { a[(g * B + l) * s + k][" J "] = 1; } }",
     true},
    {"pieces", "for (int k = 0; k < s - 1; k += 1) { if ((g * s + k) * B + l < n && " J " < m) { a[(g * s + k) * B + l][" J
               "] = 1; } }", false},
};

static const char *grid_text(const char *name)
{
    return !strcmp(name, "square") ? SQUARE : !strcmp(name, "ceil") ? CEIL : !strcmp(name, "floor") ? FLOOR : PIECES;
}

static const struct kernel *kernel_make(struct ctx *ctx, const char *grid, const char *body)
{
    const char *text = arena_printf(
        ctx->arena,
        "kernel nest {\n    ring n, m, s, B, C, t;\n    param data size int n >= 0;\n    param data size int m >= 0;\n"
        "    param program tunable int s >= 1;\n    param program tunable int B >= 1;\n"
        "    param program tunable int C >= 1;\n    param data uniform int t;\n"
        "    global int a[n][m];\n    global int b[n + m];\n    global int f[n * m];\n    global int o[];\n    global int q[n][n];\n    %s\n"
        "    block int l < B;\n    block int e < C;\n    body {\n        band (int l < B, int e < C) {\n"
        "            %s\n        }\n    }\n}\n", grid, body);
    return kernel_read(ctx, check_source(ctx, text));
}

static void rows_run(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct ctx *ctx = check_ctx();
        bool overwritten[5] = {false};
        const struct kernel *kernel = kernel_make(ctx, grid_text(ROWS[i].grid), ROWS[i].body);
        if (check_that(check, kernel != NULL, "row %zu cannot be read: %s", i, ctx->last)) {
            access_overwritten(ctx, kernel, overwritten);
            check_that(check, (overwritten[0] || overwritten[2] || overwritten[3] || overwritten[4]) == ROWS[i].overwritten, "row %zu: %s", i, ROWS[i].body);
        }
        ctx_free(ctx);
    }
}

/* --- random nests ---------------------------------------------------------------------------- */

static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (*state >> 33) % below;
}

/* Mostly the first. */
static const char *pick(uint64_t *state, const char *const *from, size_t n)
{
    return from[draw(state, 6) ? 0 : draw(state, n)];
}

#define PICK(state, ...)                                                                                             \
    pick(state, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* The store, mostly alone, and what reads its element. */
static void statement_add(struct str *out, uint64_t *state, const char *place)
{
    switch (draw(state, 8)) {
    case 0: str_addf(out, "%s = %s + 1;\n", place, place); break;
    case 1: str_addf(out, "%s = 0; %s = %s + b[g];\n", place, place, place); break;
    case 2: str_addf(out, "%s = 0; for (int y = 0; y < n; y += 1) { %s = %s + b[y]; }\n", place, place, place); break;
    case 3: str_addf(out, "for (int y = 0; y < %s; y += 1) { %s = b[y]; }\n", PICK(state, "n", "t", "s", "0"), place); break;
    default: str_addf(out, "%s = 1;\n", place);
    }
}

/* The two halves of a square, by the order of two numbers. */
static char *square_make(struct arena *arena, uint64_t *state)
{
    struct str out = str_new(arena);
    bool upper = draw(state, 2);
    str_addf(&out, "if (%s < %s && ", upper ? J : I, PICK(state, "n", "n - 1"));
    str_addf(&out, PICK(state, "%s <= %s", "%s < %s", "%s <= %s + 1"), upper ? I : J, upper ? J : I);
    str_addf(&out, ") { q[" I "][" J "] = %s; ", PICK(state, "1", "q[" J "][" I "]"));
    str_addf(&out, PICK(state, "q[" J "][" I "] = %s;", "if (t > 1) { q[" J "][" I "] = %s; }", "q[" J "][" J "] = %s;"),
             PICK(state, "q[" I "][" J "]", "2"));
    str_add(&out, " }\n");
    return out.text;
}

static char *body_make(struct arena *arena, uint64_t *state, bool pieces)
{
    struct str out = str_new(arena);
    bool serial = draw(state, 3) == 0;
    const char *row = !pieces         ? PICK(state, I, "(n - 1 - " I ")", "(g * B + B - 1 - l)", "(2 * " I ")")
                      : draw(state, 2) ? "((g * s + k) * B + l)" : "((g * B + l) * s + k)";
    const char *column = serial ? PICK(state, "z", "(m - 1 - z)", "(2 * z)") : PICK(state, J, "(m - 1 - " J ")", "e");
    const char *place = draw(state, 8) == 0 ? arena_printf(arena, "o[%s]", draw(state, 2) ? row : column)
                        : draw(state, 2) ? arena_printf(arena, "a[%s][%s]", row, column)
                        : draw(state, 2) ? arena_printf(arena, "f[%s * %s + %s]", row, PICK(state, "m", "n"), column)
                                         : arena_printf(arena, "f[%s * %s + %s]", column, PICK(state, "n", "m"), row);
    const char *guard = PICK(state, "%s < n", "%s <= n - 1", "n > %s", "%s + 1 < n", "%s <= n", "2 * %s < n", "%s >= 0");
    if (pieces)
        str_addf(&out, "for (int k = 0; k < %s; k += 1) {\n", PICK(state, "s", "s - 1"));
    str_add(&out, "if (");
    str_addf(&out, guard, strncmp(row, "(n", 2) ? row : I);
    str_add(&out, ") {\n");
    if (serial)
        str_addf(&out, "for (int z = %s; z < %s; z += %s) {\n", PICK(state, "0", "1"), PICK(state, "m", "m - 1", "g + 1"),
                 PICK(state, "1", "2"));
    else
        str_addf(&out, "if (%s) {\n", PICK(state, J " < m", J " < m && " J " <= g", "e >= 0", J " < m && e > 0"));
    str_addf(&out, "if (%s) {\n", PICK(state, "g >= 0", "t > 0", "l >= 0", "n > m"));
    statement_add(&out, state, place);
    str_addf(&out, "} } }%s\n", pieces ? " }" : "");
    return out.text;
}

static const char *grid_make(struct arena *arena, uint64_t *state, bool pieces)
{
    const char *rows = pieces ? PICK(state, "(n + s * B - 1) / (s * B)", "n / (s * B)", "n / B")
                              : PICK(state, "(n + B - 1) / B", "n / B", "n", "(n + B - 2) / B");
    return arena_printf(arena, "grid int g < %s; grid int h < %s;", rows, PICK(state, "(m + C - 1) / C", "m / C", "m"));
}

/* False if the program leaves its arrays there. */
static bool point_judge(struct check *check, const struct answers *answers, const int64_t *point, const char *name)
{
    struct arena *arena = arena_new();
    struct judge judge = {.check = check, .answers = answers, .point = point, .name = name};
    judge.trace = trace_run(arena, answers->kernel, point);
    bool ok = judge.trace->events.count < judge.trace->limit && trace_in_bounds(judge.trace);
    if (ok)
        judge_overwritten(&judge);
    arena_free(arena);
    return ok;
}

static void nests_run(struct check *check, uint64_t seed, int kernels)
{
    int proved = 0, judged = 0;
    check_test(check);
    for (int i = 0; i < kernels; i++) {
        struct ctx *ctx = check_ctx();
        bool pieces = draw(&seed, 3) == 0;
        bool is_square = draw(&seed, 8) == 0;
        const char *grid = is_square ? SQUARE : grid_make(ctx->arena, &seed, pieces);
        const char *body = is_square ? square_make(ctx->arena, &seed) : body_make(ctx->arena, &seed, pieces);
        const struct kernel *kernel = kernel_make(ctx, grid, body);
        if (check_that(check, kernel != NULL, "nest %d cannot be read: %s", i, ctx->last)) {
            struct answers answers = {.kernel = kernel};
            bool overwritten[5] = {false};
            answers.overwritten = overwritten;
            access_overwritten(ctx, kernel, overwritten);
            for (int a = 0; a < 5; a++)
                answers.extents[a] = access_extent(ctx, kernel, kernel->arrays[a]);
            proved += overwritten[0] || overwritten[2] || overwritten[3] || overwritten[4];
            for (int try = 0, points = 0; (overwritten[0] || overwritten[2] || overwritten[3] || overwritten[4]) && try < TRIES && points < POINTS; try++) {
                int64_t point[RING_CAPACITY] = {0};
                for (int v = 0; v < 6; v++)
                    point[v] = (int64_t)draw(&seed, v < 2 ? 10 : 3) + (v >= 2);
                bool good = point_judge(check, &answers, point, arena_printf(ctx->arena, "nest %d", i));
                points += good;
                judged += good;
            }
        }
        ctx_free(ctx);
    }
    printf("%d nests, %d overwrite an array, %d points\n", kernels, proved, judged);
    check_that(check, proved > kernels / 12 && judged > 6 * proved, "hardly anything was proved, or judged");
}

int main(int argc, char **argv)
{
    struct check check = {0};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 5;
    int kernels = argc > 2 ? atoi(argv[2]) : KERNELS;
    printf("seed %llu\n", (unsigned long long)seed);
    rows_run(&check);
    nests_run(&check, seed, kernels);
    return check_end(&check, "ir-access_overwrite");
}
