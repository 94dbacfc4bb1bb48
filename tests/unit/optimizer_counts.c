/* Traffic and arithmetic against the thread interpreter, which counts loads, stores and operations:
   every kernel of the samples, of tests/programs and of tests/counters (every fourth file at small
   scale), under several sets of strategies, at random parameters. A value marked exact is equal,
   one marked upper not below. Points where the serial program itself fails are left out and
   counted. */
#include "optimizer/counters/scope.h"
#include "tests/unit/optimizer_test.h"
#include <glob.h>

enum { ROUNDS = 4, STEPS = 400000 };

struct tallies {
    int points, left_out, exact, upper, none;
};

static void params_draw(const struct kernel *kernel, union value *params)
{
    for (int i = 0; i < kernel->n_params; i++) {
        const struct param *p = kernel->params[i];
        if (type_is_floating(p->var->type))
            params[i].real = 0.25;
        else
            params[i].integer = p->role == ROLE_SIZE      ? 1 + rand() % 23
                                : p->role == ROLE_TUNABLE ? 1 + rand() % 4
                                                          : rand() % 6;
    }
}

static void point_of(const struct ring *ring, const struct kernel *kernel,
                     const union value *params, int64_t *point)
{
    for (int v = 0; v < RING_CAPACITY; v++)
        point[v] = 0;
    for (int v = 0; v < ring_count(ring); v++)
        for (int i = 0; i < kernel->n_params; i++)
            if (strcmp(kernel->params[i]->var->name, ring_name(ring, v)) == 0)
                point[v] = params[i].integer;
}

static int64_t points_of(const struct kernel *kernel, const struct axis *axes, int n,
                         const union value *params)
{
    int64_t product = 1;
    for (int i = 0; i < n; i++) {
        union value value;
        if (!expr_evaluate(kernel, axes[i].extent, params, &value))
            return -1;
        product *= value.integer > 0 ? value.integer : 0;
    }
    return product;
}

/* The value times `scale` (what makes it an integer) is `measured`, or not below it. */
static bool value_agrees(const struct kernel *kernel, struct counter_value value,
                         const union value *params, int64_t scale, int64_t times, int64_t measured,
                         const char **why, struct ctx *ctx)
{
    int64_t point[RING_CAPACITY], numerator, denominator;
    struct counter_piece piece = value.pieces[0];
    piece.numerator = poly_scale(piece.numerator, scale, 1);
    value.pieces = &piece;
    point_of(poly_ring(piece.numerator), kernel, params, point);
    if (counter_value_at(&value, point, &numerator, &denominator) < 0) {
        *why = "no value at the point";
        return false;
    }
    *why = arena_printf(ctx->arena, "%s value %lld / %lld times %lld, measured %lld",
                        exactness_name(piece.exactness), (long long)numerator,
                        (long long)denominator, (long long)times, (long long)measured);
    int64_t expected = numerator * times;
    return piece.exactness == COUNTER_EXACT ? expected == measured * denominator
                                            : expected >= measured * denominator;
}

struct measured {
    int64_t bytes, operations, floating;
    int64_t blocks, threads;
};

/* False if the point is no legal one for the program. */
static bool measure(struct ctx *ctx, const struct kernel *kernel, const union value *params,
                    struct measured *m)
{
    struct interpret_array *arrays =
        ARENA_ARRAY(ctx->arena, struct interpret_array, kernel->n_arrays + 1);
    struct interpret_counts counts = {ARENA_ARRAY(ctx->arena, uint64_t, kernel->n_arrays + 1),
                                      ARENA_ARRAY(ctx->arena, uint64_t, kernel->n_arrays + 1), 0,
                                      0};
    m->blocks = points_of(kernel, kernel->grid, kernel->n_grid, params);
    m->threads = points_of(kernel, kernel->block, kernel->n_block, params);
    if (m->blocks < 0 || m->threads < 1 || !data_make(ctx, kernel, params, arrays))
        return false;
    struct interpret_input input = {.params = params,
                                    .arrays = arrays,
                                    .steps = STEPS,
                                    .counts = &counts,
                                    .threads = kernel_all_strided(kernel) ? m->threads : 0};
    if (interpret_threads(ctx->arena, kernel, &input).status != INTERPRET_DONE)
        return false;
    m->bytes = 0;
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_GLOBAL)
            m->bytes += (int64_t)(counts.loads[i] + counts.stores[i]) *
                        type_bytes(kernel->arrays[i]->element);
    m->operations = (int64_t)(counts.floating + counts.integers);
    m->floating = (int64_t)counts.floating;
    return true;
}

static void check_value(struct check *check, struct tallies *tallies, struct ctx *ctx,
                        const struct kernel *kernel, const struct counter_value *value,
                        const union value *params, const int64_t *figures, const char *what)
{
    const char *why = "";
    if (value->count == 0) {
        tallies->none++;
        return;
    }
    tallies->exact += value->pieces[0].exactness == COUNTER_EXACT;
    tallies->upper += value->pieces[0].exactness == COUNTER_UPPER;
    struct str at = str_new(ctx->arena);
    for (int i = 0; i < kernel->n_params; i++)
        str_addf(&at, " %s=%lld", kernel->params[i]->var->name, (long long)params[i].integer);
    bool ok = value_agrees(kernel, *value, params, figures[0], figures[1], figures[2], &why, ctx);
    check_that(check, ok, "%s of %s at%s: %s", what, kernel->name, at.text, why);
}

static void check_kernel(struct check *check, struct tallies *tallies, struct store *store,
                         uint64_t set)
{
    struct ctx *ctx = store->ctx;
    struct kernel_entry *build = set_kernel(store, set, false);
    if (!check_that(check, build != NULL, "no kernel for set %llx: %s", (unsigned long long)set,
                    ctx->last))
        return;
    const struct kernel *kernel = build->kernel;
    struct counter_value traffic = counter_traffic(store, kernel),
                         all = counter_arithmetic(store, kernel);
    struct counter_value floating = counter_floating(store, kernel);
    for (int round = 0; round < ROUNDS; round++) {
        union value params[32] = {{0}};
        int64_t point[RING_CAPACITY];
        struct measured m;
        params_draw(kernel, params);
        point_of(kernel->ring, kernel, params, point);
        if (sas_holds(kernel->facts, point) != 1 || !measure(ctx, kernel, params, &m)) {
            tallies->left_out++;
            continue;
        }
        tallies->points++;
        int64_t per_thread = m.blocks * m.threads;
        check_value(check, tallies, ctx, kernel, &traffic, params, (int64_t[]){4, 1, m.bytes},
                    "traffic");
        check_value(check, tallies, ctx, kernel, &all, params,
                    (int64_t[]){1, per_thread, m.operations}, "arithmetic");
        check_value(check, tallies, ctx, kernel, &floating, params,
                    (int64_t[]){1, per_thread, m.floating}, "floating");
    }
}

static void check_file(struct check *check, struct tallies *tallies, const char *path)
{
    check_test(check);
    static const uint64_t SETS[] = {0,
                                    STRATEGY_BIT(GRANULARITY),
                                    STRATEGY_BIT(DROP),
                                    STRATEGY_BIT(STRIDE),
                                    STRATEGY_BIT(CSE1) | STRATEGY_BIT(CSE2) |
                                        STRATEGY_BIT(GRANULARITY),
                                    STRATEGY_BIT(CSE1) | STRATEGY_BIT(CSE2)};
    struct ctx *ctx = ctx_new();
    struct program *program = program_read(ctx, path, &READING);
    if (check_that(check, program != NULL, "%s cannot be read: %s", path,
                   ctx->last ? ctx->last : ""))
        for (size_t r = 0; r < program->n_regions; r++) {
            struct store *store = store_bare(ctx, program->regions[r]);
            for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++)
                check_kernel(check, tallies, store, SETS[i]);
        }
    ctx_free(ctx);
}

static void check_folder(struct check *check, struct tallies *tallies, const char *pattern)
{
    glob_t found = {0};
    glob(pattern, 0, NULL, &found);
    check_that(check, found.gl_pathc > 20, "%s are %zu files", pattern, found.gl_pathc);
    for (size_t i = 0; i < found.gl_pathc; i += (size_t)test_scale(4, 1))
        check_file(check, tallies, found.gl_pathv[i]);
    globfree(&found);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct tallies tallies = {0};
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 40;
    printf("seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s/%s.c", sample_root(SAMPLES[i]), SAMPLES[i], SAMPLES[i]);
        check_file(&check, &tallies, path);
    }
    check_folder(&check, &tallies, "tests/programs/*.c");
    check_folder(&check, &tallies, "tests/counters/*.c");
    printf("%d points (%d left out), values: %d exact, %d upper, %d none\n", tallies.points,
           tallies.left_out, tallies.exact, tallies.upper, tallies.none);
    int least = test_scale(400, 1000);
    check_that(&check, tallies.exact > least && tallies.upper > least, "too few values");
    return check_end(&check, "optimizer_counts");
}
