/* Checked arithmetic as C text: random polynomials and constraints, and a table of extents, are written as C, compiled,
   run, and compared with FLINT's exact values and with C's own meaning. The seed is printed. */
#include "ir/walk.h"
#include "emit/checked.h"
#include "emit/host.h"
#include "tests/unit/ir_check.h"
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

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
    const char *text, *expected;       /* an extent over int n, int B, unsigned int u, long l; value at n=1000, B=32, u=1, l=2^40 */
} extents[] = {
    {"(n - 2) / (4 * B)", "7"},          {"(n + B - 1) / B", "32"},       {"-n / B", "-31"},
    {"-n % B", "-8"},                    {"u - 2U", "4294967295"},        {"n < B ? n : B", "32"},
    {"(n > 5 && B > 5) || n == 0", "1"}, {"n << 3", "8000"},              {"n * n * n", "1000000000"},
    {"n * n * n * n", "overflow"},       {"l * n", "1099511627776000"},   {"l * l", "overflow"},
    {"(long)(int)l", "overflow"},              {"n / (B - 32)", "overflow"},    {"!n + ~B", "-33"},
    {"(long)n * n * n * n", "1000000000000"}};

static const char extent_kernel[] =
    "kernel e {\n    ring n, B, u, l;\n    param data size int n >= 0;\n    param program tunable int B >= 1;\n"
    "    param data uniform unsigned int u;\n    param data uniform long l;\n    global long a[n];\n"
    "    grid int g < n;\n    block int j < B;\n    body {\n        band (int j < B) {\n            a[j] = (long)(%s);\n        }\n    }\n}\n";

static const struct expr *read_extent(struct ctx *ctx, const char *text)
{
    const struct kernel *k = kernel_read(ctx, check_source(ctx, arena_printf(ctx->arena, extent_kernel, text)));
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, ctx->arena, k ? k->body : NULL); s; s = stmt_next(&walk))
        if (s->kind == STMT_STORE)
            return s->value;
    return NULL;
}

static void write_extents(struct check *check, struct ctx *ctx, struct str *out)
{
    str_add(out, "    { const int64_t n = 1000, B = 32, u = 1, l = INT64_C(1) << 40;\n    (void)n; (void)B; (void)u; (void)l;\n");
    for (size_t i = 0; i < sizeof extents / sizeof *extents; i++) {
        const struct expr *e = read_extent(ctx, extents[i].text);
        if (!check_that(check, e != NULL, "%s does not parse: %s", extents[i].text, ctx->last))
            continue;
        str_add(out, "    { int e = 0; int64_t v = ");
        check_that(check, checked_expr(out, e, "&e"), "%s cannot be written", extents[i].text);
        str_add(out, "; put(v, e); }\n");
    }
    str_add(out, "    }\n");
}

/* The text of one program that prints every value, or "overflow". */
static char *write_program(struct check *check, struct ctx *ctx, const struct poly *const *polys, int64_t (*points)[VARIABLES])
{
    struct str body = str_new(ctx->arena), out = str_new(ctx->arena);
    for (int p = 0; p < POLYNOMIALS; p++) {
        str_addf(&body, "static int64_t p%d(int64_t x, int64_t y, int64_t z, int *e)\n{\n    (void)x; (void)y; (void)z; (void)e;\n"
                 "    return ", p);
        checked_poly(&body, polys[p], "e");
        str_add(&body, ";\n}\n");
    }
    str_add(&body, "int main(void)\n{\n");
    write_extents(check, ctx, &body);
    for (int p = 0; p < POLYNOMIALS; p++)
        for (int i = 0; i < POINTS; i++)
            str_addf(&body, "    { int e = 0; int64_t v = p%d(INT64_C(%" PRId64 "), INT64_C(%" PRId64 "), INT64_C(%" PRId64
                     "), &e); put(v, e); }\n", p, points[i][0], points[i][1], points[i][2]);
    str_add(&body, "    return 0;\n}\n");
    str_add(&out, "#include <inttypes.h>\n#include <treefork.h>\n");
    prelude_write(&out, body.text);
    str_add(&out, "static void put(int64_t v, int e)\n{\n    if (e)\n        puts(\"overflow\");\n    else\n"
                  "        printf(\"%\" PRId64 \"\\n\", v);\n}\n");
    str_add(&out, body.text);
    return out.text;
}

static FILE *compile_and_run(struct check *check, struct ctx *ctx, const char *text)
{
    char folder[] = P_tmpdir "/emit_checked_XXXXXX";
    if (!check_that(check, mkdtemp(folder) && file_write(ctx, arena_printf(ctx->arena, "%s/a.c", folder), text, strlen(text)),
                    "cannot write in %s", folder))
        return NULL;
    char *command = arena_printf(ctx->arena, "cc -std=c11 -Wall -Wextra -Werror -Iruntime -I. -o %s/a %s/a.c runtime/arithmetic.c "
                                 "&& %s/a; rm -rf %s", folder, folder, folder, folder);
    return popen(command, "r");
}

static void check_values(struct check *check, FILE *pipe, const struct poly *const *polys, int64_t (*points)[VARIABLES])
{
    char line[64];
    for (size_t i = 0; i < sizeof extents / sizeof *extents; i++) {
        bool read = fgets(line, sizeof line, pipe) != NULL;
        line[read ? strcspn(line, "\n") : 0] = 0;
        check_that(check, read && !strcmp(line, extents[i].expected), "%s = %s, not %s", extents[i].text, line, extents[i].expected);
    }
    for (int p = 0; p < POLYNOMIALS; p++)
        for (int i = 0; i < POINTS; i++) {
            int64_t point[RING_CAPACITY] = {points[i][0], points[i][1], points[i][2]}, value = 0;
            bool fits = poly_evaluate(polys[p], point, &value), read = fgets(line, sizeof line, pipe) != NULL;
            /* Intermediate results may overflow where the whole does not, at points with a large coordinate; a number
               that is given must be right. */
            bool overflow = read && !strncmp(line, "overflow", 8), large = false;
            for (int v = 0; v < VARIABLES; v++)
                large |= llabs(point[v]) > 1000;
            check_that(check, read && (overflow ? !fits || large : fits && strtoll(line, NULL, 10) == value),
                       "polynomial %d at point %d: %s", p, i, line);
        }
}

static void check_sides(struct check *check, struct ctx *ctx)
{
    static const char *const texts[] = {"2*s*B + 2 <= Z_B", "Z_B < 2*B + 2", "9 <= R_B", "B <= T_B", "s*B <= N + 3"};
    struct ring *ring = ring_new(ctx->arena);
    int z = ring_variable(ring, "Z_B"), r = ring_variable(ring, "R_B"), t = ring_variable(ring, "T_B");
    uint64_t machine = (UINT64_C(1) << z) | (UINT64_C(1) << r) | (UINT64_C(1) << t);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct constraint c, again;
        const char *error;
        if (!check_that(check, constraint_read(ring, texts[i], &c, &error), "%s does not parse", texts[i]))
            continue;
        struct sides sides = constraint_sides(ctx->arena, c, machine);
        again = constraint_make(sides.left, sides.relation, sides.right);
        check_that(check, !strcmp(sides.text, texts[i]), "%s is printed as %s", texts[i], sides.text);
        check_that(check, constraint_equal(c, again) || poly_equal(c.poly, poly_neg(again.poly)), "%s has other sides", texts[i]);
    }
}

int main(void)
{
    struct check check = {0};
    struct ctx *ctx = check_ctx();
    uint64_t state = 20261120;
    struct ring *ring = ring_new(ctx->arena);
    const struct poly *polys[POLYNOMIALS];
    int64_t points[POINTS][VARIABLES];
    printf("emit_checked: seed %" PRIu64 "\n", state);
    ring_variable(ring, "x");
    ring_variable(ring, "y");
    ring_variable(ring, "z");
    for (int p = 0; p < POLYNOMIALS; p++)
        polys[p] = random_poly(ring, &state);
    for (int i = 0; i < POINTS; i++)
        for (int v = 0; v < VARIABLES; v++)
            points[i][v] = random_value(&state);
    FILE *pipe = compile_and_run(&check, ctx, write_program(&check, ctx, polys, points));
    if (pipe) {
        check_values(&check, pipe, polys, points);
        pclose(pipe);
    }
    check_sides(&check, ctx);
    ctx_free(ctx);
    return check_end(&check, "emit_checked");
}
