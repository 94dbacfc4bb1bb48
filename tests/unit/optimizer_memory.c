/* The memory counters of real kernels against the counting simulator: every sample and every
   program of tests/programs and tests/counters (one in four at small scale), staged and not,
   padded, by vectors, remapped, at the values of their `// SET:` lines and at random ones. Exact
   values have to be what the simulator counts, upper ones not below, lower ones not above;
   estimates are not judged, but counted. Points at which the kernel cannot run (an extent of zero,
   an index beyond an array) are no points. A few rows have the lines of a block as a number:
   kernels whose copies of a statement share an expression. The same number has to come from the
   kernel read from its own text, where nothing is shared. */
#include "base/map.h"
#include "tests/unit/ir_check.h"
#include "tests/unit/optimizer_lines.h"
#include <glob.h>

enum { ROUNDS = 2, STEPS = 1500000, STEPS_SMALL = 300000, THREADS_MOST = 512 };

struct tally {
    int points;
    int judged[LINES_COUNTERS][3];      /* exact, upper or lower, estimate or none */
};

struct judge {
    struct check *check;
    struct tally *tally;
    struct store *store;
    const char *path;
};

/* Values of a `// SET:` line; those that are tunable replaced by random ones in every round but the
   first, sizes varied. */
static bool params_draw(const struct kernel *kernel, const char *setting, int round,
                        union value *params)
{
    static const int64_t TUNABLES[] = {1, 2, 3, 4, 5, 8, 16, 32, 32, 64};
    if (!params_set(kernel, setting, params))
        return false;
    int64_t threads = 1;
    for (int i = 0; i < kernel->n_params && round; i++) {
        const struct param *param = kernel->params[i];
        if (param->role == ROLE_TUNABLE)
            params[i].integer = TUNABLES[rand() % 10];
        else if (param->role == ROLE_SIZE && rand() % 2)
            params[i].integer = rand() % 3 ? 32 * (1 + rand() % 4) : 1 + rand() % 150;
    }
    for (int i = 0; i < kernel->n_block; i++) {
        union value extent;
        if (!expr_evaluate(kernel, kernel->block[i].extent, params, &extent) ||
            extent.integer < 1 || extent.integer > THREADS_MOST)
            return false;
        threads *= extent.integer;
    }
    return threads <= THREADS_MOST;
}

static char *params_text(struct arena *arena, const struct kernel *kernel,
                         const union value *params)
{
    struct str text = str_new(arena);
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->variable >= 0)
            str_addf(&text, " %s=%lld", kernel->params[i]->var->name, (long long)params[i].integer);
    return text.text;
}

static void judge_kernel(struct judge *j, uint64_t set, const union value *params)
{
    struct ctx *ctx = j->store->ctx;
    struct kernel_entry *build = set_kernel(j->store, set, false);
    if (!check_that(j->check, build != NULL, "%s: no kernel: %s", j->path, ctx->last))
        return;
    struct interpret_array *arrays =
        ARENA_ARRAY(ctx->arena, struct interpret_array, build->kernel->n_arrays + 1);
    if (kernel_indivisible(build->kernel, params))
        return;
    if (!data_make(ctx, build->kernel, params, arrays))
        return;
    struct interpret_input input = {
        .params = params, .arrays = arrays, .steps = test_scale(STEPS_SMALL, STEPS)};
    struct lines_point at = {params, rand() % 4 ? 128 : 64};
    input.threads = kernel_all_strided(build->kernel) ? 64 : 0;
    struct simulation simulation = kernel_simulate(ctx->arena, build->kernel, &input,
                                                   (struct simulate_options){.line = at.line});
    double counted[LINES_COUNTERS];
    if (simulation.result.status != INTERPRET_DONE || simulation.count == 0)
        return;
    simulation_values(&simulation, counted);
    j->tally->points++;
    for (int i = 0; i < LINES_COUNTERS; i++) {
        const struct counter_value *value = set_value(j->store, set, (int)LINES_SYMBOLS[i]);
        struct comparison c = {0};
        if (value)
            c = value_at(value, build->kernel, at);
        int kind = !c.valued                         ? 2
                   : c.exactness == COUNTER_EXACT    ? 0
                   : c.exactness == COUNTER_ESTIMATE ? 2
                                                     : 1;
        j->tally->judged[i][kind]++;
        check_that(j->check, !c.valued || comparison_holds(c, counted[i]),
                   "%s, set %llx at%s, line %lld: %s is %g (%s), counted %g", j->path,
                   (unsigned long long)set, params_text(ctx->arena, build->kernel, params),
                   (long long)at.line, counter_table((int)LINES_SYMBOLS[i])->name, c.value,
                   exactness_name(c.exactness), counted[i]);
    }
}

static void judge_region(struct judge *j, const char *setting)
{
    static const uint64_t SETS[] = {0,
                                    STRATEGY_BIT(DROP),
                                    STRATEGY_BIT(GRANULARITY) | STRATEGY_BIT(CSE2),
                                    STRATEGY_BIT(PAD),
                                    STRATEGY_BIT(VECTOR) | STRATEGY_BIT(VECTOR_LOOP),
                                    STRATEGY_BIT(REMAP) | STRATEGY_BIT(DROP),
                                    STRATEGY_BIT(COARSEN_X2) | STRATEGY_BIT(COARSEN_Y2),
                                    STRATEGY_BIT(COARSEN_X2) | STRATEGY_BIT(DROP),
                                    STRATEGY_BIT(STRIDE)};
    const struct kernel *base = j->store->space->region->kernel;
    for (int round = 0; round < ROUNDS; round++) {
        union value params[64];
        if (!params_draw(base, setting, round, params))
            continue;
        for (int i = 0; i < 2; i++)
            judge_kernel(j, SETS[(size_t)rand() % (sizeof SETS / sizeof *SETS)], params);
        judge_kernel(j, 0, params);
    }
}

static void judge_program(struct check *check, struct tally *tally, const char *path,
                          const char *sets)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    size_t length;
    ctx->quiet = true;
    struct program *program = program_read(ctx, path, &READING);
    const char *text = file_read(ctx, sets ? sets : path, &length);
    check->skipped += !program || !text;      /* tests of metafork say whether it should be
                                                 readable */
    for (size_t k = 0; program && text && k < program->n_regions; k++) {
        struct judge j = {check, tally, store_bare(ctx, program->regions[k]), path};
        const char *mark = sets ? program->regions[k]->name : "// SET:", *rest = text;
        for (const char *setting; (setting = setting_next(ctx, mark, &rest));)
            judge_region(&j, setting);
    }
    ctx_free(ctx);
}

/* The load of a[p][B0*k + z] is one for both points of the coarsened product: per grid point c is
   loaded and stored at 2 * 2 places (w < s, two points) of 8 lines each; a is loaded 8 * 8 * 2
   times, of 8 lines each; b twice as often, of 1 line each. */
static const struct shared_row {
    const char *sample, *setting;
    uint64_t set;
    int64_t line;
    double lines;
} shared_rows[] = {
    {"matmul", "n=64,s=2,B0=8,ub1=8", STRATEGY_BIT(COARSEN_X2) | STRATEGY_BIT(DROP), 64, 1344},
    {"matmul", "n=64,s=1,B0=8,ub1=8", STRATEGY_BIT(COARSEN_X2) | STRATEGY_BIT(DROP), 64, 672},
};

static void check_shared(struct check *check, const struct shared_row *row)
{
    check_test(check);
    struct ctx *ctx = check_ctx();
    struct program *program = sample_read(ctx, row->sample);
    struct store *store = program ? store_bare(ctx, program->regions[0]) : NULL;
    struct kernel_entry *build = store ? set_kernel(store, row->set, false) : NULL;
    const struct kernel *kernel = build ? build->kernel : NULL;
    const struct kernel *again =
        kernel ? kernel_read(ctx, check_source(ctx, check_print(ctx, kernel))) : NULL;
    union value params[64];
    if (check_that(check, again && params_set(kernel, row->setting, params), "%s: no kernel: %s",
                   row->sample, ctx->last)) {
        struct lines_point at = {params, row->line};
        struct comparison c = value_at(set_value(store, row->set, COUNTER_LINES), kernel, at);
        struct simulation built = simulate_at(ctx, kernel, at, 0),
                          read = simulate_at(ctx, again, at, 0);
        check_that(check, c.valued && c.exactness == COUNTER_EXACT && c.value == row->lines,
                   "%s at %s: lines is %g (%s), not %g", row->sample, row->setting, c.value,
                   exactness_name(c.exactness), row->lines);
        check_that(check,
                   (double)read.lines_most == row->lines && built.lines_most == read.lines_most,
                   "%s at %s: %lld lines counted, %lld in the kernel that is read again, not %g",
                   row->sample, row->setting, (long long)built.lines_most,
                   (long long)read.lines_most, row->lines);
    }
    ctx_free(ctx);
}

/* One program in four at small scale, by its name: another program in the folder moves none in or
   out. */
static bool is_judged(const char *path)
{
    return hash_bytes(HASH_START, path, strlen(path)) % (uint64_t)test_scale(4, 1) == 0;
}

static void judge_folder(struct check *check, struct tally *tally, const char *pattern)
{
    glob_t found = {0};
    glob(pattern, 0, NULL, &found);
    check_that(check, found.gl_pathc > 0, "no program is %s", pattern);
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (is_judged(found.gl_pathv[i]))
            judge_program(check, tally, found.gl_pathv[i], NULL);
    globfree(&found);
}

/* Subscripts that conditions choose, at any scale. */
static const char *const CHOSEN[] = {"tests/programs/torus.c", "tests/programs/clamped.c",
                                     "tests/programs/turned.c"};

int main(int argc, char **argv)
{
    struct check check = {0};
    struct tally tally = {0};
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 42;
    printf("seed %u\n", seed);
    srand(seed);
    for (size_t i = 0; i < sizeof shared_rows / sizeof *shared_rows; i++)
        check_shared(&check, &shared_rows[i]);
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        char path[128], sets[128];
        snprintf(path, sizeof path, "%s/%s/%s.c", sample_root(SAMPLES[i]), SAMPLES[i], SAMPLES[i]);
        snprintf(sets, sizeof sets, "%s/%s/sets", sample_root(SAMPLES[i]), SAMPLES[i]);
        judge_program(&check, &tally, path, sets);
    }
    for (size_t i = 0; i < sizeof CHOSEN / sizeof *CHOSEN; i++)
        judge_program(&check, &tally, CHOSEN[i], NULL);
    judge_folder(&check, &tally, "tests/programs/*.c");
    judge_folder(&check, &tally, "tests/counters/*.c");
    int exact_least = test_scale(10, 30);
    printf("%d points; exact, bound, estimate:", tally.points);
    for (int i = 0; i < LINES_COUNTERS; i++) {
        printf(" %s %d %d %d%s", counter_table((int)LINES_SYMBOLS[i])->name, tally.judged[i][0],
               tally.judged[i][1], tally.judged[i][2], i + 1 < LINES_COUNTERS ? "," : "\n");
        check_that(&check, tally.judged[i][0] > exact_least, "%s is hardly ever exact",
                   counter_table((int)LINES_SYMBOLS[i])->name);
    }
    check_that(&check, tally.points > test_scale(300, 500), "only %d points", tally.points);
    return check_end(&check, "optimizer_memory");
}
