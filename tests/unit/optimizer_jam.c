/* Unroll-and-jam (strategies/jam.c): the paper's nests and others by 2 to 5, run thread by
   thread, leave bit for bit what the nests leave serially, at extents of which the factor
   divides none, that are smaller than the shifts, and that are empty; which are jammed, with how
   many scalars from round to round; which are left. Then random nests. */
#include "optimizer_test.h"
#include "ir/walk.h"
#include "tests/unit/draw.h"
#include "tests/unit/ir_check.h"
#include <inttypes.h>

enum { LOOPS_MOST = 3, FACTORS = 4, SETTINGS = 6 };
static const int FACTOR[FACTORS] = {2, 3, 4, 5};
static const char *const SETTING[SETTINGS] = {"n=9, m=11, nb=2", "n=5, m=3, nb=1",
                                              "n=8, m=1, nb=2",  "n=4, m=7, nb=1",
                                              "n=1, m=5, nb=1",  "n=0, m=0, nb=1"};

/* `carried`: scalars that keep a value from round to round in the nest by 4; -1: it is left. */
struct example {
    const char *name, *loops[LOOPS_MOST], *body;
    int carried;
};

#define I "for (int i = 3; i < n + 3; i += 1)"
#define J "for (int j = 5; j < m + 5; j += 1)"
#define K "for (int k = 2; k < n + 2; k += 1)"

static const struct example EXAMPLES[] = {
    {"E1", {J}, "u[j][b] = 0.5 * u[j - 1][b];", -1},
    {"E2", {I, J}, "a[i][j][b] = 0.5 * a[i][j - 1][b];", 4},
    {"E3", {J, I}, "a[i][j][b] = 0.5 * a[i][j - 1][b];", 3},
    {"E4", {I, J}, "a[i][j][b] = 0.5 * a[i][j - 1][b] + 0.25 * a[i - 1][j][b];", 7},
    {"E5", {I, J}, "a[i][j][b] = 0.5 * a[i][j - 1][b] + 0.25 * a[i - 1][j + 1][b];", 7},
    {"E6", {K, I, J}, "c[k][i][j][b] = 0.5 * c[k][i - 2][j + 1][b] + c[k - 2][i][j + 1][b];", 2},
    {"E7", {K, I, J}, "c[k][i][j][b] = 0.5 * c[k - 1][i + 1][j][b];", 0},
    {"reads of later elements", {I, J}, "a[i][j][b] = a[i + 1][j - 1][b] + a[i + 2][j + 1][b];",
     0},
    {"two statements", {I, J},
     "a[i][j][b] = d[i][j - 1][b] + 1.0; d[i][j][b] = 0.5 * a[i - 1][j][b];", 7},
    {"a scalar of its own", {I, J},
     "let double x = 0.5 * a[i][j - 1][b]; x = x + a[i - 1][j][b]; a[i][j][b] = 0.5 * x;", 7},
    {"a condition", {I, J},
     "if (a[i][j - 1][b] > 40.0) { a[i][j][b] = 0.5 * a[i - 1][j + 1][b]; }", 0},
    {"a choice", {I, J},
     "a[i][j][b] = d[i][j][b] > 50.0 ? 0.5 * a[i][j - 1][b] : a[i - 1][j][b] + 1.0;", 0},
    {"loads of some rounds", {I, J}, "a[i][j][b] = j > 8 ? 0.5 * a[i][j - 9][b] : 1.0;", 0},
    {"a row for all", {I, J}, "u[j][b] = 0.5 * u[j][b] + a[i][j][b];", 0},
    {"other type", {I, J}, "h[i][j][b] = h[i][j - 1][b] * 3 + (int)a[i][j][b];", 4},
    {"64 bits", {"for (long i = 3l; i < (long)n + 3l; i += 1l)", J},
     "a[(int)i][j][b] = 0.5 * a[(int)i][j - 1][b];", 4},
    {"a distance that is not constant", {I, J}, "a[i][j][b] = a[i / 2][j][b];", -1},
    {"a sum through all", {I, J}, "u[0][b] = 0.5 * u[0][b] + a[i][j][b];", -1},
    {"a triangle", {I, "for (int j = i; j < m + 5; j += 1)"}, "a[i][j][b] = 0.5 * a[i - 1][j][b];",
     -1},
    {"steps of two", {I, "for (int j = 5; j < m + 5; j += 2)"}, "a[i][j][b] = a[i][j - 2][b];", -1},
};

static const char *kernel_text(struct arena *arena, const struct example *example)
{
    struct str text = str_new(arena);
    str_add(&text, "kernel nest {\n    ring n, m, nb;\n    param data size int n >= 0;\n"
                   "    param data size int m >= 0;\n    param data size int nb >= 1;\n"
                   "    global double a[n + m + 16][n + m + 16][nb];\n"
                   "    global double d[n + m + 16][n + m + 16][nb];\n"
                   "    global int h[n + 16][m + 16][nb];\n"
                   "    global double c[n + 8][n + 8][m + 16][nb];\n"
                   "    global double u[n + m + 16][nb];\n"
                   "    grid int g < nb;\n    block int t < 1;\n    body {\n"
                   "        band (int t < 1) {\n            let int b = g + t;\n");
    for (int k = 0; k < LOOPS_MOST && example->loops[k]; k++)
        str_addf(&text, "%s {\n", example->loops[k]);
    str_addf(&text, "%s\n", example->body);
    for (int k = 0; k < LOOPS_MOST && example->loops[k]; k++)
        str_add(&text, "}\n");
    str_add(&text, "        }\n    }\n}\n");
    return text.text;
}

static bool kernel_is_right(struct check *check, struct ctx *ctx, const char *name,
                            const struct kernel *kernel, const struct kernel *jammed, int factor)
{
    if (!check_that(check, kernel_verify(ctx, jammed), "%s by %d: %s", name, factor, ctx->last))
        return false;
    for (int i = 0; i < SETTINGS; i++) {
        union value params[8];
        const char *why = "";
        bool ok = params_set(kernel, SETTING[i], params) &&
                  kernels_agree(ctx, kernel, jammed, (struct trial){params, 0, 1}, &why);
        if (!check_that(check, ok, "%s by %d at %s: %s\n%s", name, factor, SETTING[i], why,
                        check_print(ctx, jammed)))
            return false;
    }
    return true;
}

/* Scalars that are defined outside the loops that set them. */
static int carried_count(struct ctx *ctx, const struct kernel *jammed)
{
    struct stmt_walk walk;
    int count = 0;
    const struct stmt *s = stmt_first(&walk, ctx->arena, jammed->body);
    for (; s; s = stmt_next(&walk))
        count += s->kind == STMT_SET && s->value->kind == EXPR_VAR;
    return count;
}

/* True if the nest is jammed. */
static bool example_check(struct check *check, const struct example *example, bool is_random)
{
    struct ctx *ctx = ctx_new();
    const char *text = kernel_text(ctx->arena, example);
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    bool jams = false;
    check_that(check, kernel != NULL, "%s cannot be read:\n%s", example->name, text);
    for (int f = 0; kernel && f < FACTORS; f++) {
        const struct kernel *jammed = strategy_jam(ctx, kernel, FACTOR[f]);
        jams = jammed != kernel;
        if (!is_random)
            check_that(check, jams == (example->carried >= 0), "%s by %d: jammed or not",
                       example->name, FACTOR[f]);
        if (!is_random && jams && FACTOR[f] == 4)
            check_that(check, carried_count(ctx, jammed) == example->carried,
                       "%s: %d scalars from round to round\n%s", example->name,
                       carried_count(ctx, jammed), check_print(ctx, jammed));
        if (jams && !kernel_is_right(check, ctx, example->name, kernel, jammed, FACTOR[f]))
            break;
    }
    ctx_free(ctx);
    return jams;
}

static const char *random_element(struct arena *arena, uint64_t *seed)
{
    return arena_printf(arena, "%s[i + %d][j + %d][b]", PICK(seed, "a", "a", "a", "d"),
                        (int)draw(seed, 6) - 3, (int)draw(seed, 8) - 4);
}

static bool random_check(struct check *check, int round, uint64_t *seed)
{
    struct arena *arena = arena_new();
    struct example example = {arena_printf(arena, "round %d", round), {I, J}, NULL, 0};
    struct str body = str_new(arena);
    for (int k = 1 + (int)draw(seed, 3); k > 0; k--) {
        const char *store = PICK(seed, "a[i][j][b]", "d[i][j][b]", "a[i][j + 1][b]");
        if (draw(seed, 4) == 0)
            str_addf(&body, "if (%s > 30.0) { %s = 0.5 * %s; }\n", random_element(arena, seed),
                     store, random_element(arena, seed));
        else
            str_addf(&body, "%s = 0.5 * %s + 0.25 * %s;\n", store, random_element(arena, seed),
                     random_element(arena, seed));
    }
    example.body = body.text;
    bool jams = example_check(check, &example, true);
    arena_free(arena);
    return jams;
}

int main(int argc, char **argv)
{
    struct check check = {0};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 35;
    int rounds = test_scale(100, 2000), jammed = 0;
    printf("seed %" PRIu64 "\n", seed);
    for (size_t i = 0; i < sizeof EXAMPLES / sizeof EXAMPLES[0]; i++) {
        check_test(&check);
        example_check(&check, &EXAMPLES[i], false);
    }
    check_test(&check);
    for (int round = 0; round < rounds; round++)
        jammed += random_check(&check, round, &seed);
    check_that(&check, jammed > rounds / 2, "only %d of %d random nests are jammed", jammed,
               rounds);
    return check_end(&check, "optimizer_jam");
}
