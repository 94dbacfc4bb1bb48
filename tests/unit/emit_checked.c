/* Checked arithmetic as NAME_select and the tables do it: random polynomials are written as C and
   as operations, a table of extents as operations; they are compiled, run by the runtime, and
   compared with FLINT's exact values and with C's own meaning. The seed is printed. */
#include "emit/checked.h"
#include "emit/code.h"
#include "emit/host.h"
#include "ir/walk.h"
#include "tests/unit/ir_check.h"
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#define SANITIZE "-fsanitize=address,undefined -fno-sanitize-recover=undefined"
#else
#define SANITIZE ""
#endif

enum { POLYNOMIALS = 40, POINTS = 25, VARIABLES = 3 };

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static const struct poly *random_poly(struct ring *ring, uint64_t *state)
{
    const struct poly *p = poly_integer(ring, (int64_t)(next_random(state) % 41) - 20);
    for (int term = (int)(next_random(state) % 4); term >= 0; term--) {
        const struct poly *t = poly_integer(ring, (int64_t)(next_random(state) % 19) - 9);
        for (int v = 0; v < VARIABLES; v++)
            t = poly_mul(t, poly_power(poly_variable(ring, v), (unsigned)(next_random(state) % 3)));
        p = poly_add(p, t);
    }
    return p;
}

/* Small, large and huge values, so that overflow happens in some. */
static int64_t random_value(uint64_t *state)
{
    static const uint64_t ranges[] = {10, 1000, UINT64_C(1) << 24, UINT64_C(1) << 50};
    uint64_t range = ranges[next_random(state) % 4];
    return (int64_t)(next_random(state) % range) - (int64_t)(range / 8);
}

static const struct {
    const char *text, *expected; /* an extent over int n, int B, unsigned int u, long l; value at
                                    n=1000, B=32, u=1, l=2^40 */
} extents[] = {{"(n - 2) / (4 * B)", "7"},
               {"(n + B - 1) / B", "32"},
               {"-n / B", "-31"},
               {"-n % B", "-8"},
               {"u - 2U", "4294967295"},
               {"n < B ? n : B", "32"},
               {"(n > 5 && B > 5) || n == 0", "1"},
               {"n << 3", "8000"},
               {"n * n * n", "1000000000"},
               {"n * n * n * n", "overflow"},
               {"l * n", "1099511627776000"},
               {"l * l", "overflow"},
               {"(long)(int)l", "overflow"},
               {"n / (B - 32)", "overflow"},
               {"!n + ~B", "-33"},
               {"(long)n * n * n * n", "1000000000000"}};

static const char extent_kernel[] =
    "kernel e {\n    ring n, B, u, l;\n    param data size int n >= 0;\n    param program "
    "tunable int B >= 1;\n"
    "    param data uniform unsigned int u;\n    param data uniform long l;\n    global long "
    "a[n];\n"
    "    grid int g < n;\n    block int j < B;\n    body {\n        band (int j < B) {\n         "
    "   a[j] = (long)(%s);\n        }\n    }\n}\n";

static const struct expr *stored_value(struct ctx *ctx, const struct kernel *k)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, ctx->arena, k ? k->body : NULL); s;
         s = stmt_next(&walk))
        if (s->kind == STMT_STORE)
            return s->value;
    return NULL;
}

/* The operations of `code` as a region NAME; the numbers of `values` as NAME_numbers. */
static void write_region(struct str *out, struct host_code *code, const char *name, int n_integers,
                         const int *values, int n)
{
    const int64_t *constants;
    const struct treefork_operation *operations;
    code_end(code);
    size_t n_constants = code_constants(code, &constants),
           n_operations = code_operations(code, &operations);
    str_addf(out, "static const treefork_int %s_constants[] = {", name);
    for (size_t i = 0; i < n_constants; i++)
        str_addf(out, "%" PRId64 ", ", constants[i]);
    str_addf(out, "0};\nstatic const struct treefork_operation %s_operations[] = {", name);
    for (size_t i = 0; i < n_operations; i++)
        str_addf(out, "{%u, %u, %u, %u}, ", operations[i].code, operations[i].a, operations[i].b,
                 operations[i].c);
    str_addf(out, "{0, 0, 0, 0}};\nstatic const unsigned %s_numbers[] = {", name);
    for (int i = 0; i < n; i++)
        str_addf(out, "%u, ", code_number(code, values[i]));
    str_addf(
        out,
        "0};\nstatic const struct treefork_region %s = {.layout = TREEFORK_TABLES, .name = "
        "\"%s\", .n_integers = %d,\n"
        "    .n_constants = %zu, .n_operations = %zu, .n_shape = %zu, .constants = %s_constants,\n"
        "    .operations = %s_operations, .lists = no_lists};\n",
        name, name, n_integers, n_constants, n_operations, n_operations, name, name);
}

static void write_extents(struct check *check, struct ctx *ctx, struct str *out)
{
    enum { EXTENTS = sizeof extents / sizeof *extents };
    int values[EXTENTS];
    struct host_code *code = NULL;
    for (size_t i = 0; i < EXTENTS; i++) {
        const struct kernel *k = kernel_read(
            ctx, check_source(ctx, arena_printf(ctx->arena, extent_kernel, extents[i].text)));
        const struct expr *e = stored_value(ctx, k);
        code = code || !k ? code : code_new(ctx->arena, k);
        values[i] = code && e ? code_expr(code, e) : -1;
        check_that(check, values[i] >= 0, "%s cannot be written: %s", extents[i].text, ctx->last);
    }
    write_region(out, code, "extents", 4, values, EXTENTS);
}

static const char poly_kernel[] =
    "kernel p {\n    ring x, y, z;\n    param data uniform long x;\n    param data uniform long "
    "y;\n    param data uniform long z;\n"
    "    global long a[1];\n    grid int g < 1;\n    block int j < 1;\n    body {\n        band "
    "(int j < 1) {\n"
    "            a[j] = x + y + z;\n        }\n    }\n}\n";

static void write_polys(struct check *check, struct ctx *ctx, struct str *out,
                        const struct poly *const *polys)
{
    int values[POLYNOMIALS];
    const struct kernel *k = kernel_read(ctx, check_source(ctx, poly_kernel));
    if (!check_that(check, k != NULL, "the kernel of the polynomials: %s", ctx->last))
        return;
    struct host_code *code = code_new(ctx->arena, k);
    struct code_ring names = code_ring(poly_ring(polys[0]), 0, NULL, false);
    for (int p = 0; p < POLYNOMIALS; p++)
        values[p] = code_poly(code, &names, polys[p]);
    write_region(out, code, "polys", 3, values, POLYNOMIALS);
    str_add(
        out,
        "#define tf_add(a, b) treefork_add(a, b, e)\n#define tf_sub(a, b) treefork_sub(a, b, e)\n"
        "#define tf_mul(a, b) treefork_mul(a, b, e)\n");
    for (int p = 0; p < POLYNOMIALS; p++) {
        str_addf(
            out,
            "static int64_t p%d(int64_t x, int64_t y, int64_t z, int *e)\n{\n    (void)x; "
            "(void)y; (void)z; (void)e;\n"
            "    return ",
            p);
        checked_poly(out, polys[p]);
        str_add(out, ";\n}\n");
    }
}

static const char frame[] =
    "static void put(int64_t v, int e)\n{\n    if (e)\n        puts(\"overflow\");\n    else\n   "
    "     printf(\"%lld\\n\", (long long)v);\n}\n"
    "/* Values of a region at a point. */\n"
    "static void put_values(const struct treefork_region *r, const unsigned *numbers, int n, "
    "const treefork_int *point)\n{\n"
    "    struct treefork_evaluation e;\n    struct treefork_machine m = {.name = \"\"};\n    if "
    "(treefork_evaluation_new(r, &e))\n"
    "        return;\n    treefork_evaluation_set(&e, &m, point);\n    "
    "treefork_evaluation_exact(&e);\n"
    "    for (int i = 0; i < n; i++)\n        put(e.value[numbers[i]], e.wrong[numbers[i]]);\n   "
    " treefork_evaluation_free(&e);\n}\n";

/* The text of one program that prints every value, or "overflow": the extents, the polynomials as
 * C, then as operations. */
static char *write_program(struct check *check, struct ctx *ctx, const struct poly *const *polys,
                           int64_t (*points)[VARIABLES])
{
    struct str out = str_new(ctx->arena);
    str_addf(&out, "#include \"runtime/tables.h\"\nstatic const uint16_t no_lists[] = {0};\n%s",
             frame);
    write_extents(check, ctx, &out);
    write_polys(check, ctx, &out, polys);
    str_addf(
        &out,
        "int main(void)\n{\n    put_values(&extents, extents_numbers, %zu, "
        "(treefork_int[]){1000, 32, 1, 1099511627776});\n",
        sizeof extents / sizeof *extents);
    for (int p = 0; p < POLYNOMIALS; p++)
        for (int i = 0; i < POINTS; i++)
            str_addf(&out,
                     "    { int e = 0; int64_t v = p%d(%" PRId64 ", %" PRId64 ", %" PRId64
                     ", &e); put(v, e); }\n",
                     p, points[i][0], points[i][1], points[i][2]);
    for (int i = 0; i < POINTS; i++)
        str_addf(&out,
                 "    put_values(&polys, polys_numbers, %d, (treefork_int[]){%" PRId64 ", %" PRId64
                 ", %" PRId64 "});\n",
                 POLYNOMIALS, points[i][0], points[i][1], points[i][2]);
    str_add(&out, "    return 0;\n}\n");
    return out.text;
}

static FILE *compile_and_run(struct check *check, struct ctx *ctx, const char *text,
                             const char *runtime)
{
    char folder[] = P_tmpdir "/emit_checked_XXXXXX";
    if (!check_that(check,
                    mkdtemp(folder) && file_write(ctx, arena_printf(ctx->arena, "%s/a.c", folder),
                                                  text, strlen(text)),
                    "cannot write in %s", folder))
        return NULL;
    char *command = arena_printf(
        ctx->arena,
        "cc -std=gnu11 %s -Wall -Wextra -Werror -Iruntime -I. -o %s/a %s/a.c %s -ldl -lpthread "
        "&& %s/a; rm -rf %s",
        SANITIZE, folder, folder, runtime, folder, folder);
    return popen(command, "r");
}

/* One line for polynomial p at a point. Intermediate results may overflow where the whole does not,
   at points with a large coordinate; a number that is given must be right. */
static void check_line(struct check *check, FILE *pipe, const struct poly *poly, int p,
                       const int64_t *at, const char *how)
{
    char line[64] = "";
    int64_t point[RING_CAPACITY] = {at[0], at[1], at[2]}, value = 0;
    bool fits = poly_evaluate(poly, point, &value), read = fgets(line, sizeof line, pipe) != NULL,
         large = false;
    bool overflow = read && !strncmp(line, "overflow", 8);
    for (int v = 0; v < VARIABLES; v++)
        large |= llabs(at[v]) > 1000;
    check_that(check,
               read && (overflow ? !fits || large : fits && strtoll(line, NULL, 10) == value),
               "polynomial %d as %s: %s", p, how, line);
}

static void check_values(struct check *check, FILE *pipe, const struct poly *const *polys,
                         int64_t (*points)[VARIABLES])
{
    check_test(check);
    char line[64];
    for (size_t i = 0; i < sizeof extents / sizeof *extents; i++) {
        bool read = fgets(line, sizeof line, pipe) != NULL;
        line[read ? strcspn(line, "\n") : 0] = 0;
        check_that(check, read && !strcmp(line, extents[i].expected), "%s = %s, not %s",
                   extents[i].text, line, extents[i].expected);
    }
    for (int p = 0; p < POLYNOMIALS; p++)
        for (int i = 0; i < POINTS; i++)
            check_line(check, pipe, polys[p], p, points[i], "C");
    for (int i = 0; i < POINTS; i++)
        for (int p = 0; p < POLYNOMIALS; p++)
            check_line(check, pipe, polys[p], p, points[i], "operations");
}

static void check_sides(struct check *check, struct ctx *ctx)
{
    check_test(check);
    static const char *const texts[] = {"2*s*B + 2 <= Z_B", "Z_B < 2*B + 2", "9 <= R_B", "B <= T_B",
                                        "s*B <= N + 3"};
    struct ring *ring = ring_new(ctx->arena);
    int z = ring_variable(ring, "Z_B"), r = ring_variable(ring, "R_B"),
        t = ring_variable(ring, "T_B");
    uint64_t machine = (UINT64_C(1) << z) | (UINT64_C(1) << r) | (UINT64_C(1) << t);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct constraint c, again;
        const char *error;
        if (!check_that(check, constraint_read(ring, texts[i], &c, &error), "%s does not parse",
                        texts[i]))
            continue;
        struct sides sides = constraint_sides(ctx->arena, c, machine);
        again = constraint_make(sides.left, sides.relation, sides.right);
        check_that(check, !strcmp(sides.text, texts[i]), "%s is printed as %s", texts[i],
                   sides.text);
        check_that(check, constraint_equal(c, again) || poly_equal(c.poly, poly_neg(again.poly)),
                   "%s has other sides", texts[i]);
    }
}

int main(int argc, char **argv)
{
    struct check check = {0};
    char runtime[4096];
    const char *slash = strrchr(argv[0], '/');
    struct ctx *ctx = check_ctx();
    uint64_t state = 20261120;
    struct ring *ring = ring_new(ctx->arena);
    const struct poly *polys[POLYNOMIALS];
    int64_t points[POINTS][VARIABLES];
    (void)argc;
    snprintf(runtime, sizeof runtime, "%.*s/../lib/runtime.a", slash ? (int)(slash - argv[0]) : 1,
             slash ? argv[0] : ".");
    if (access(runtime, R_OK)) {
        check.skipped++;
        return check_end(&check, "emit_checked");
    }
    printf("emit_checked: seed %" PRIu64 "\n", state);
    ring_variable(ring, "x");
    ring_variable(ring, "y");
    ring_variable(ring, "z");
    for (int p = 0; p < POLYNOMIALS; p++)
        polys[p] = random_poly(ring, &state);
    for (int i = 0; i < POINTS; i++)
        for (int v = 0; v < VARIABLES; v++)
            points[i][v] = random_value(&state);
    FILE *pipe = compile_and_run(&check, ctx, write_program(&check, ctx, polys, points), runtime);
    if (pipe) {
        check_values(&check, pipe, polys, points);
        pclose(pipe);
    }
    check_sides(&check, ctx);
    ctx_free(ctx);
    return check_end(&check, "emit_checked");
}
