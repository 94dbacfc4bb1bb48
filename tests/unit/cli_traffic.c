/* Predicted time in memory is never below the bytes that a launch touches over the bandwidth, where
   these bytes do not fit into the second-level cache: for kernels of the samples, of tests/programs
   and of tests/polybench (every fifth file at small scale) under several sets of strategies, at
   random parameters, on every machine file, as it is and with next to no second-level cache. The
   bytes are those of the different elements that the thread interpreter touches, which knows
   nothing of the model. */
#include "cli/predict.h"
#include "optimizer/figures.h"
#include "optimizer_test.h"
#include <glob.h>

enum { ROUNDS = 4, STEPS = 400000, MACHINES_MOST = 40, ARRAYS_MOST = 64 };

struct machines {
    size_t count;
    struct treefork_machine at[MACHINES_MOST];
};

struct tallies {
    int points, left_out, compared, branches, groups;
    double tightest;             /* least predicted over least possible */
};

static void machines_read(struct check *check, struct machines *machines)
{
    glob_t found = {0};
    glob("machines/*.json", 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc && machines->count + 2 <= MACHINES_MOST; i++) {
        struct treefork_machine *machine = &machines->at[machines->count];
        bool read = treefork_machine_read(found.gl_pathv[i], machine) == TREEFORK_OK;
        check_that(check, read, "%s: %s", found.gl_pathv[i], treefork_message());
        machine[1] = machine[0];
        machine[1].value[TREEFORK_L_D] = 1;
        machines->count += 2;
    }
    globfree(&found);
    check_that(check, machines->count > 20, "%zu machines", machines->count);
}

/* The different bytes of global arrays that a run touches. */
struct touching {
    const struct kernel *kernel;
    unsigned char *touched[ARRAYS_MOST];
    int64_t bytes;
};

static void touch(void *state, const struct interpret_access *access)
{
    struct touching *touching = state;
    if (access->array->space != SPACE_GLOBAL)
        return;
    int number = 0;
    while (touching->kernel->arrays[number] != access->array)
        number++;
    for (int64_t b = access->byte; b < access->byte + access->bytes; b++) {
        touching->bytes += !touching->touched[number][b];
        touching->touched[number][b] = 1;
    }
}

/* -1 if the point is no legal one for the program. */
static int64_t bytes_touched(struct ctx *ctx, const struct kernel *kernel,
                             const union value *params, int64_t threads)
{
    struct interpret_array *arrays = ARENA_ARRAY(ctx->arena, struct interpret_array,
                                                 kernel->n_arrays + 1);
    struct touching touching = {.kernel = kernel};
    struct interpret_trace trace = {touch, &touching};
    if (kernel->n_arrays > ARRAYS_MOST || !data_make(ctx, kernel, params, arrays))
        return -1;
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_GLOBAL)
            touching.touched[i] = ARENA_ARRAY(
                ctx->arena, unsigned char,
                (arrays[i].count + 1) * type_bytes(kernel->arrays[i]->element));
    struct interpret_input input = {.params = params, .arrays = arrays, .steps = STEPS,
                                    .trace = &trace,
                                    .threads = kernel_all_strided(kernel) ? threads : 0};
    bool done = interpret_threads(ctx->arena, kernel, &input).status == INTERPRET_DONE;
    return done ? touching.bytes : -1;
}

static void params_draw(const struct kernel *kernel, union value *params)
{
    for (int i = 0; i < kernel->n_params; i++) {
        const struct param *p = kernel->params[i];
        if (type_is_floating(p->var->type))
            params[i].real = 0.25;
        else if (p->role == ROLE_TUNABLE)
            params[i].integer = 1 << rand() % 4;
        else
            params[i].integer = p->role == ROLE_SIZE ? 1 + rand() % 40 : rand() % 6;
    }
}

static void point_of(const struct kernel *kernel, const union value *params, int64_t *point)
{
    for (int v = 0; v < ring_count(kernel->ring); v++)
        for (int i = 0; i < kernel->n_params; i++)
            if (strcmp(kernel->params[i]->var->name, ring_name(kernel->ring, v)) == 0)
                point[v] = params[i].integer;
}

static void machine_check(struct check *check, struct tallies *tallies,
                          const struct treefork_machine *machine,
                          const struct treefork_prediction *p, int64_t bytes, const char *at)
{
    if (p->resident == 0 || bytes <= machine->value[TREEFORK_L_D])
        return;
    double least = (double)bytes * 1e3 / (double)machine->value[TREEFORK_V_D];
    check_that(check, p->memory >= least * (1 - 1e-9) && p->nanoseconds >= p->memory,
               "%s on %s: %lld bytes take %.1f ns, predicted are %.1f of %.1f ns", at,
               machine->name, (long long)bytes, least, p->memory, p->nanoseconds);
    tallies->compared++;
    if (p->memory / least < tallies->tightest)
        tallies->tightest = p->memory / least;
}

static void check_point(struct check *check, struct tallies *tallies, struct ctx *ctx,
                        const struct tree *tree, const struct variant *variant,
                        const struct machines *machines)
{
    const struct kernel *kernel = variant->launches[0].kernel;
    union value params[32] = {{0}};
    int64_t point[RING_CAPACITY] = {0}, bytes = -1;
    struct str at = str_new(ctx->arena);
    params_draw(kernel, params);
    point_of(kernel, params, point);
    str_addf(&at, "%s", kernel->name);
    for (int i = 0; i < kernel->n_params; i++)
        str_addf(&at, " %s=%lld", kernel->params[i]->var->name, (long long)params[i].integer);
    for (size_t m = 0; m < machines->count; m++) {
        struct leaf_time time;
        if (leaf_predict(ctx, tree, variant, &machines->at[m], point, &time))
            break;
        if (m == 0 && sas_holds(kernel->facts, point) == 1)
            bytes = bytes_touched(ctx, kernel, params, time.threads);
        if (bytes <= 0)
            break;
        machine_check(check, tallies, &machines->at[m], &time.prediction, bytes, at.text);
    }
    tallies->points += bytes > 0;
    tallies->left_out += bytes <= 0;
}

static void check_kernel(struct check *check, struct tallies *tallies, struct store *store,
                         const struct region *region, uint64_t set,
                         const struct machines *machines)
{
    struct ctx *ctx = store->ctx;
    struct kernel_entry *build = set_kernel(store, set, false);
    if (!check_that(check, build != NULL, "no kernel for set %llx", (unsigned long long)set))
        return;
    struct launch launch = {.kernel = build->kernel, .figures = figures_make(store, build->kernel)};
    struct variant variant = {.n_launches = 1, .launches = &launch};
    struct tree tree = {.ring = build->kernel->ring, .region = region};
    for (size_t i = 0; i < launch.figures->n_accesses && !launch.figures->reason; i++) {
        tallies->branches += launch.figures->accesses[i].branch != NULL;
        tallies->groups += launch.figures->accesses[i].distance != NULL;
    }
    for (int round = 0; round < ROUNDS && !launch.figures->reason; round++)
        check_point(check, tallies, ctx, &tree, &variant, machines);
}

static void check_file(struct check *check, struct tallies *tallies, const char *path,
                       const struct machines *machines)
{
    check_test(check);
    static const uint64_t SETS[] = {0,
                                    STRATEGY_BIT(GRANULARITY),
                                    STRATEGY_BIT(DROP),
                                    STRATEGY_BIT(STRIDE),
                                    STRATEGY_BIT(COARSEN_Y4),
                                    STRATEGY_BIT(COARSEN_Y4) | STRATEGY_BIT(COARSEN_X2),
                                    STRATEGY_BIT(COARSEN_Y4) | STRATEGY_BIT(DROP),
                                    STRATEGY_BIT(COARSEN_Y4) | STRATEGY_BIT(GRANULARITY)};
    struct ctx *ctx = ctx_new();
    struct program *program = program_read(ctx, path, &READING);
    if (check_that(check, program != NULL, "%s cannot be read: %s", path, ctx->last))
        for (size_t r = 0; r < program->n_regions; r++) {
            struct store *store = store_bare(ctx, program->regions[r]);
            for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++)
                check_kernel(check, tallies, store, program->regions[r], SETS[i], machines);
        }
    ctx_free(ctx);
}

static void check_folder(struct check *check, struct tallies *tallies, const char *pattern,
                         const struct machines *machines)
{
    glob_t found = {0};
    glob(pattern, 0, NULL, &found);
    check_that(check, found.gl_pathc > 20, "%s are %zu files", pattern, found.gl_pathc);
    for (size_t i = 0; i < found.gl_pathc; i += (size_t)test_scale(5, 1))
        if (!strstr(found.gl_pathv[i], "harness") && !strstr(found.gl_pathv[i], "bench") &&
            !strstr(found.gl_pathv[i], "check") && !strstr(found.gl_pathv[i], "reference"))
            check_file(check, tallies, found.gl_pathv[i], machines);
    globfree(&found);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct tallies tallies = {.tightest = 1e9};
    static struct machines machines;
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 12;
    printf("seed %u\n", seed);
    srand(seed);
    machines_read(&check, &machines);
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s/%s.c", sample_root(SAMPLES[i]), SAMPLES[i], SAMPLES[i]);
        check_file(&check, &tallies, path, &machines);
    }
    check_file(&check, &tallies, "tests/counters/turns.c", &machines);
    check_folder(&check, &tallies, "tests/programs/*.c", &machines);
    check_folder(&check, &tallies, "tests/polybench/*.c", &machines);
    printf("%d points (%d left out), %d times compared, the tightest %.3f; %d references under a "
           "branch, %d at a distance\n", tallies.points, tallies.left_out, tallies.compared,
           tallies.tightest, tallies.branches, tallies.groups);
    check_that(&check, tallies.points > 500 && tallies.compared > 10 * tallies.points,
               "too few points or comparisons");
    check_that(&check, tallies.branches > 0 && tallies.groups > 100, "too few kinds of references");
    return check_end(&check, "cli_traffic");
}
