/* Distances of dependences in the serial loops of a thread: nests with what is expected of each,
   and random ones; of all of them, traces at small parameters show no other distance than the
   one that was answered, and no meeting of references that were said to stay apart. */
#include "ir/access/distance.h"
#include "ir/walk.h"
#include "tests/unit/draw.h"
#include "tests/unit/ir-access_trace.h"
#include "tests/unit/ir_check.h"
#include <inttypes.h>

enum { LOOPS_MOST = 3, POINTS = 12 };

/* `loops`: one for each level, from outside; `expected`: the pairs in their order, those at
   distance 0 left out; `?`: open, `*`: free. */
struct example {
    const char *name, *loops[LOOPS_MOST], *body, *expected;
};

#define I "for (int i = 1; i < n; i += 1)"
#define J "for (int j = 1; j < m - 1; j += 1)"
#define K "for (int k = 2; k < n; k += 1)"

static const struct example EXAMPLES[] = {
    {"E1", {J}, "u[j][b] = u[j - 1][b];", "(-1)"},
    {"E2", {I, J}, "a[i][j][b] = a[i][j - 1][b];", "(0,-1)"},
    {"E4", {I, J}, "a[i][j][b] = a[i][j - 1][b] * a[i - 1][j][b];", "(0,-1) (-1,0)"},
    {"E5", {I, J}, "a[i][j][b] = a[i][j - 1][b] * a[i - 1][j + 1][b];", "(0,-1) (-1,1)"},
    {"E6", {K, "for (int i = 2; i < n; i += 1)", J},
     "c[k][i][j][b] = c[k][i - 2][j + 1][b] * c[k - 2][i][j + 1][b];", "(0,-2,1) (-2,0,1)"},
    {"E7", {K, I, J}, "c[k][i][j][b] = c[k - 1][i + 1][j][b];", "(-1,1,0)"},
    {"other thread", {I, J}, "a[i][j][b] = a[i][j - 1][b + 1];", ""},
    {"other column", {I, J}, "a[i][2 * j][b] = a[i][2 * j + 1][b];", ""},
    {"flat", {I, J}, "f[(i * m + j) * nb + b] = f[(i * m + j - 1) * nb + b];", "(0,-1)"},
    {"flat, row above", {I, J}, "f[(i * m + j) * nb + b] = f[((i - 1) * m + j) * nb + b];",
     "(-1,0)"},
    {"triangle", {I, "for (int j = i; j < m; j += 1)"}, "a[i][j][b] = a[i - 1][j][b];",
     "(-1,0)"},
    {"step 2", {I, "for (int j = 2; j < m; j += 2)"}, "a[i][j][b] = a[i][j - 2][b];", "(0,-1)"},
    {"step 2, odd", {I, "for (int j = 2; j < m; j += 2)"}, "a[i][j][b] = a[i][j - 1][b];", ""},
    {"step 2 from i", {I, "for (int j = i; j < m; j += 2)"}, "a[i][j][b] = a[i - 1][j - 1][b];",
     "? ?"},
    {"symbolic", {I, J}, "a[i][j][b] = a[i - n / 2][j][b];", "?"},
    {"diagonal", {I, J}, "a[i][i + j][b] = a[i - 1][i + j - 2][b];", "(-1,-1)"},
    {"one row", {I, J}, "u[j][b] = u[j][b] + a[i][j][b];", "(*,0) (*,0)"},
    {"sum", {I, J}, "u[i][b] = u[i][b] + a[i][j][b];", "(0,*) (0,*)"},
    {"reversed", {I, J}, "a[i][j][b] = a[i][m - j][b];", "?"},
    {"data", {I, J}, "a[i][index[j]][b] = a[i][j - 1][b];", "? ?"},
    {"two stores", {I, J}, "a[i][j][b] = 1.0; a[i - 1][j + 1][b] = a[i][j - 1][b];",
     "(0,1) (1,-1) (1,-2)"},
};

static const char *kernel_text(struct arena *arena, const struct example *example)
{
    struct str text = str_new(arena);
    str_add(&text,
            "kernel nest {\n    ring n, m, nb;\n    param data size int n >= 0;\n"
            "    param data size int m >= 0;\n    param data size int nb >= 0;\n"
            "    global double a[n][m][nb];\n    global double c[n][n][m][nb];\n"
            "    global double u[n + m][nb];\n    global double f[];\n    global int index[m];\n"
            "    grid int g < nb;\n    block int t < 1;\n    body {\n        band (int t < 1) {\n"
            "            let int b = g + t;\n");
    for (int k = 0; k < LOOPS_MOST && example->loops[k]; k++)
        str_addf(&text, "%s {\n", example->loops[k]);
    str_addf(&text, "%s\n", example->body);
    for (int k = 0; k < LOOPS_MOST && example->loops[k]; k++)
        str_add(&text, "}\n");
    str_add(&text, "        }\n    }\n}\n");
    return text.text;
}

static struct distance_nest nest_of(struct ctx *ctx, const struct kernel *kernel)
{
    struct distance_nest nest = {0};
    struct stmt_walk walk;
    const struct stmt *s = stmt_first(&walk, ctx->arena, kernel->body);
    for (; s; s = stmt_next(&walk))
        if (s->kind == STMT_FOR)
            nest.loops[nest.n_loops++] = s;
    return nest;
}

static void distance_print(struct str *out, const struct distance_nest *nest,
                           const struct access_distance *distance)
{
    bool is_zero = distance->kind == DISTANCE_CONSTANT;
    for (int k = 0; k < nest->n_loops; k++)
        is_zero &= !distance->at[k] && !distance->is_free[k];
    if (is_zero)
        return;
    str_add(out, out->length ? " " : "");
    str_add(out, distance->kind == DISTANCE_OPEN ? "?" : "(");
    for (int k = 0; k < nest->n_loops && distance->kind == DISTANCE_CONSTANT; k++) {
        str_add(out, k ? "," : "");
        if (distance->is_free[k])
            str_add(out, "*");
        else
            str_addf(out, "%" PRId64, distance->at[k]);
    }
    str_add(out, distance->kind == DISTANCE_OPEN ? "" : ")");
}

/* --- traces ----------------------------------------------------------------------------------- */

static const void *node_of(const struct reference *reference)
{
    return reference->is_write ? (const void *)reference->store : (const void *)reference->load;
}

/* The loop's variable, in steps. */
static int64_t place_of(const struct event *event, const struct stmt *loop)
{
    int64_t value = 0, step = 1;
    for (int i = 0; i < event->scope.count; i++)
        if (event->scope.vars[i] == loop->var)
            value = event->scope.values[i];
    trace_value(&event->scope, loop->step, &step);
    return value / step;
}

static bool is_meeting(const struct event *a, const struct event *b)
{
    bool meets = a->array == b->array && (a->is_write || b->is_write) && a->block == b->block &&
                 a->thread == b->thread;
    for (int d = 0; meets && d < a->array->n_dims; d++)
        meets = a->subscripts[d] == b->subscripts[d];
    return meets;
}

/* Is a meeting of events one that the answers admit? */
static bool is_answered(const struct distance_nest *nest, const struct access_distance *list,
                        size_t n, const struct event *a, const struct event *b)
{
    for (size_t i = 0; i < n; i++) {
        bool fits = node_of(&list[i].a) == a->node && node_of(&list[i].b) == b->node;
        if (!fits || list[i].kind == DISTANCE_OPEN) {
            if (fits)
                return true;
            continue;
        }
        for (int k = 0; k < nest->n_loops; k++) {
            int64_t apart = place_of(b, nest->loops[k]) - place_of(a, nest->loops[k]);
            fits &= list[i].is_free[k] || apart == list[i].at[k];
        }
        if (fits)
            return true;
    }
    return false;
}

static bool trace_agrees(const struct trace *trace, const struct distance_nest *nest,
                         const struct access_distance *list, size_t n)
{
    for (size_t i = 0; i < trace->events.count; i++)
        for (size_t k = 0; k < trace->events.count; k++) {
            const struct event *a = &trace->events.at[i], *b = &trace->events.at[k];
            if (is_meeting(a, b) && !is_answered(nest, list, n, a, b) &&
                !is_answered(nest, list, n, b, a))
                return false;
        }
    return true;
}

static void example_check(struct check *check, const struct example *example, uint64_t *seed)
{
    struct ctx *ctx = ctx_new();
    const char *text = kernel_text(ctx->arena, example);
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    if (check_that(check, kernel != NULL, "%s cannot be read:\n%s", example->name, text)) {
        const struct access_distance *list;
        struct distance_nest nest = nest_of(ctx, kernel);
        struct str found = str_new(ctx->arena);
        size_t n = access_distances(ctx, kernel, &nest, &list);
        for (size_t i = 0; i < n; i++)
            distance_print(&found, &nest, &list[i]);
        if (example->expected)
            check_that(check, strcmp(found.text, example->expected) == 0, "%s: %s", example->name,
                       found.text);
        for (int i = 0; i < POINTS; i++) {
            int64_t point[RING_CAPACITY] = {(int64_t)draw(seed, 6), (int64_t)draw(seed, 7),
                                            1 + (int64_t)draw(seed, 2)};
            struct arena *arena = arena_new();
            check_that(check, trace_agrees(trace_run(arena, kernel, point), &nest, list, n),
                       "%s: another distance at n = %" PRId64 ", m = %" PRId64 " than %s\n%s",
                       example->name, point[0], point[1], found.text, text);
            arena_free(arena);
        }
    }
    ctx_free(ctx);
}

/* --- random nests ----------------------------------------------------------------------------- */

static const char *random_subscript(struct arena *arena, uint64_t *seed)
{
    const char *term = PICK(seed, "i", "j", "i + j", "2 * j", "j - i", "i");
    return arena_printf(arena, "%s + %d", term, (int)draw(seed, 5) - 2);
}

static const char *random_element(struct arena *arena, uint64_t *seed)
{
    if (draw(seed, 4) == 0)
        return arena_printf(arena, "f[((%s) * m + %s) * nb + b]", PICK(seed, "i", "i - 1", "i + j"),
                            PICK(seed, "j", "j - 1", "j + 1", "i"));
    return arena_printf(arena, "a[%s][%s][b]", random_subscript(arena, seed),
                        random_subscript(arena, seed));
}

static void random_check(struct check *check, int round, uint64_t *seed)
{
    struct arena *arena = arena_new();
    struct example example = {arena_printf(arena, "round %d", round), {NULL}, NULL, NULL};
    example.loops[0] = PICK(seed, I, "for (int i = 0; i < n; i += 1)",
                            "for (int i = 1; i < n; i += 2)");
    example.loops[1] = PICK(seed, J, "for (int j = i; j < m; j += 1)",
                            "for (int j = 0; j < m; j += 2)", "for (int j = 0; j < i + 1; j += 1)");
    const char *store = random_element(arena, seed), *load = random_element(arena, seed);
    example.body = arena_printf(arena, "%s = %s + %s;", store, load, random_element(arena, seed));
    example_check(check, &example, seed);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 35;
    printf("seed %" PRIu64 "\n", seed);
    for (size_t i = 0; i < sizeof EXAMPLES / sizeof EXAMPLES[0]; i++) {
        check_test(&check);
        example_check(&check, &EXAMPLES[i], &seed);
    }
    check_test(&check);
    for (int round = 0; round < test_scale(60, 1000); round++)
        random_check(&check, round, &seed);
    return check_end(&check, "ir-access_distance");
}
