/* Threads as loops: random guards of a band, and what rows_find makes of them, at all points of
   small blocks: a point is in the interval and passes what is left if and only if it passes the
   guard. Kernels whose threads must stay threads are told. Arguments: seed, number of kernels. */
#include "emit/rows.h"
#include "optimizer/strategies/rewrite.h"
#include "tests/unit/draw.h"
#include "tests/unit/ir_check.h"
#include <inttypes.h>

enum { SIDE = 6, VARS = 8 };

static const char HEAD[] =
    "kernel f {\nring n, m, A, B;\nparam data size int n >= 0;\nparam program uniform int m;\n"
    "param program tunable int A >= 1;\nparam program tunable int B >= 1;\n"
    "global const int x[n];\nglobal int y[n][n];\ngrid int g < n;\ngrid int h < n;\n"
    "block int i < A;\nblock int j < B;\nbody {\nlet int base = h * B;\n"
    "band (int i < A, int j < B) {\nlet int r = g * A + i;\nlet int q = base + j;\n"
    "let int t = n - 1;\n";
static const char TAIL[] = "y[r][q] = 1;\n}\n}\n}\n}\n";

/* Bounds of q; conditions without it; others. */
static const char *const BOUNDS[] = {
    "q < n", "q <= t", "t > q", "q > 0", "1 <= q", "q >= m", "0 < q - 1", "n - q > 2", "m - q < 1",
    "q + r < n", "r >= q + 1", "(long)q < (long)n - 2", "t - (q - 1) > r - m", "q - r > m"};
static const char *const CONDITIONS[] = {"r < n", "r != 2", "m > 1", "r > 0", "r + m < t"};
static const char *const OTHERS[] = {"q != 3", "2 * q < n", "x[q] > 0", "q % 2 == 0", "q - q < m",
                                     "q < q + m", "x[r] > q", "-q + t >= m", "(q < n || m > 2)"};

static const struct stmt *body_of(struct check *check, struct ctx *ctx, const char *text,
                                  const struct kernel **kernel)
{
    *kernel = kernel_read(ctx, check_source(ctx, text));
    check_that(check, *kernel != NULL, "unreadable: %s\n%s", ctx->last, text);
    return *kernel ? (*kernel)->body : NULL;
}

/* --- the claim ------------------------------------------------------------------------------- */

struct point {
    struct arena *arena;
    const char *names[VARS];
    int64_t values[VARS];
};

static const struct expr *value_of(void *state, const struct var *var)
{
    struct point *point = state;
    for (int i = 0; i < VARS; i++)
        if (strcmp(point->names[i], var->name) == 0)
            return expr_integer(point->arena, var->type, point->values[i]);
    return expr_var(point->arena, var);
}

static int64_t value_at(struct check *check, struct point *point, const struct expr *e)
{
    int64_t value = 0;
    const struct expr *constant = expr_substitute(point->arena, e, value_of, point);
    check_that(check, expr_get_integer(constant, &value), "no number");
    return value;
}

static void check_point(struct check *check, struct point *point, const struct thread_rows *rows,
                        const char *text)
{
    int64_t from = value_at(check, point, rows->from), to = value_at(check, point, rows->to);
    bool left = !rows->left || value_at(check, point, rows->left);
    bool inside = point->values[5] >= from && point->values[5] < to && left;
    bool expected = value_at(check, point, rows->guard->value);
    check_that(check, from >= 0 && to <= point->values[3] && inside == expected,
               "from %" PRId64 " to %" PRId64 ", left %d at n = %" PRId64 ", m = %" PRId64
               ", i = %" PRId64 ", j = %" PRId64 "\n%s",
               from, to, left, point->values[0], point->values[1], point->values[4],
               point->values[5], text);
}

static void check_points(struct check *check, uint64_t *state, const struct thread_rows *rows,
                         const char *text)
{
    struct arena *arena = arena_new();
    struct point point = {arena, {"n", "m", "A", "B", "i", "j", "g", "h"}, {0}};
    for (int i = 0; i < VARS; i++)
        point.values[i] = 1 + (int64_t)draw(state, SIDE);
    point.values[1] -= 4;
    point.values[6] = (int64_t)draw(state, 3);
    point.values[7] = (int64_t)draw(state, 3);
    for (int64_t i = 0; i < point.values[2]; i++)
        for (int64_t j = 0; j < point.values[3]; j++) {
            point.values[4] = i;
            point.values[5] = j;
            check_point(check, &point, rows, text);
        }
    arena_free(arena);
}

/* The scalars of the body and the band, which conditions are to be expanded by. */
static struct definitions scope_of(struct arena *arena, const struct stmt *body,
                                   const struct stmt *band)
{
    struct definitions scope = {.arena = arena, .body = body};
    const struct stmt *parts[2] = {body, band->children[0]};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < parts[k]->n_children; i++)
            if (parts[k]->children[i]->kind == STMT_LET)
                definitions_add(&scope, parts[k]->children[i]);
    return scope;
}

static void check_guard(struct check *check, uint64_t *state, int *found)
{
    struct ctx *ctx = check_ctx();
    struct str text = str_new(ctx->arena);
    const struct kernel *kernel;
    int n = 1 + (int)draw(state, 4);
    bool is_bounded = false, is_other = false;
    str_add(&text, HEAD);
    for (int i = 0; i < n; i++) {
        int kind = (int)draw(state, 9);
        const char *condition = kind < 6   ? BOUNDS[draw(state, sizeof BOUNDS / sizeof *BOUNDS)]
                                : kind < 8 ? CONDITIONS[draw(state, 5)]
                                           : OTHERS[draw(state, sizeof OTHERS / sizeof *OTHERS)];
        is_bounded |= kind < 6;
        is_other |= kind == 8;
        str_addf(&text, "%s%s", i ? " && " : "if (", condition);
    }
    str_addf(&text, ") {\n%s", TAIL);
    const struct stmt *body = body_of(check, ctx, text.text, &kernel);
    struct thread_rows rows = body ? rows_find(ctx->arena, kernel, body) : (struct thread_rows){0};
    check_that(check, (rows.band != NULL) == (is_bounded && !is_other), "%s\n%s",
               rows.band ? "taken" : "left", text.text);
    *found += rows.band != NULL;
    if (rows.band) {
        struct definitions scope = scope_of(ctx->arena, body, rows.band);
        struct stmt guard = *rows.guard;
        guard.value = definitions_replace(&scope, guard.value);
        rows.guard = &guard;
        rows.left = rows.left ? definitions_replace(&scope, rows.left) : NULL;
        for (int i = 0; i < 4; i++)
            check_points(check, state, &rows, text.text);
    }
    ctx_free(ctx);
}

/* --- which kernels --------------------------------------------------------------------------- */

static void check_kernels(struct check *check)
{
    static const struct {
        const char *inside;     /* before the end */
        bool taken;
    } rows[] = {
        {"if (q < n) {\n", true},
        {"if (q < n) {\nfor (int k = 0; k < 5; k += 1) {\ny[k][q] = 2;\n}\n", true},
        {"if (q < n) {\nfor (int k = 0; k < 9; k += 1) {\ny[k][q] = 2;\n}\n", true},
        {"if (q < n) {\nfor (int k = 0; k < m; k += 1) {\ny[k][q] = 2;\n}\n", true},
        {"if (q < n) {\nfor (int k = 0; k < q; k += 1) {\ny[k][q] = 2;\n}\n", false},
        {"if (q < n) {\nfor (int k = 0; k < m; k += 1) {\ny[q][k] = 2;\n}\n", false},
        {"y[r][0] = 2;\nif (q < n) {\n", false},
        {"if (q < n) {\ny[r][q] = 3;\n} else {\ny[r][0] = 2;\n}\nif (q < n) {\n", false},
        {"if (q < n) {\ny[r][q] = 3;\n}\nif (q < n) {\n", false},
        {"if (q < n) {\ny[r][q] = 3;\n} else {\n", false},
        {"if (q < n) {\nif (x[q] > 3) {\ny[r][q] = 4;\n}\n", true},
        {"let int s = 0;\nif (q < n) {\ns = x[q];\ny[r][q] = s;\n", true},
        {"let int s = 0;\ns = x[r];\nif (q < n && s > 2) {\n", false},
        {"let int s = x[r];\nif (q < s) {\n", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ctx *ctx = check_ctx();
        const struct kernel *kernel;
        const char *text = arena_printf(ctx->arena, "%s%s%s", HEAD, rows[i].inside, TAIL);
        const struct stmt *body = body_of(check, ctx, text, &kernel);
        bool taken = body && rows_find(ctx->arena, kernel, body).band;
        check_that(check, taken == rows[i].taken, "%s\n%s", taken ? "taken" : "left", text);
        ctx_free(ctx);
    }
}

int main(int argc, char **argv)
{
    struct check check = {0};
    uint64_t state = argc > 1 ? strtoull(argv[1], NULL, 10) : 11;
    int kernels = argc > 2 ? atoi(argv[2]) : test_scale(300, 10000), found = 0;
    printf("seed %" PRIu64 "\n", state);
    check_test(&check);
    check_kernels(&check);
    check_test(&check);
    for (int i = 0; i < kernels; i++)
        check_guard(&check, &state, &found);
    printf("%d kernels, %d with rows\n", kernels, found);
    check_that(&check, found > kernels / 3, "hardly any kernel has rows");
    return check_end(&check, "emit_rows");
}
