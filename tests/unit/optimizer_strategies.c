/* Strategies preserve meaning: for every sample, every strategy alone, and random sets of them, the
   kernel run thread by thread (with race, barrier, bounds and poison checks) gives bit for bit what
   the banded kernel gives serially, at several points, among them sizes that no block divides and
   blocks of one thread. The programs of tests/programs likewise (every third at small scale), at
   the values of their `// SET:` lines. */
#include "optimizer_test.h"
#include <glob.h>

enum { SETTINGS_MAX = 2 };                 /* per program */

struct point {
    const char *sample, *params;
};

static const struct point POINTS[] = {
    {"matadd", "N=16, B0=4, B1=2"},
    {"matadd", "N=13, B0=3, B1=2"},
    {"matadd", "N=9, B0=1, B1=1"},
    {"jacobi1d", "N=34, s=2, B=4, t=0"},
    {"jacobi1d", "N=41, s=3, B=5, t=1"},
    {"jacobi1d", "N=20, s=8, B=1, t=1"},
    {"jacobi1d", "N=5, s=1, B=16, t=0"},
    {"transpose", "N=12, s=2, B0=3, B1=2"},
    {"transpose", "N=17, s=4, B0=4, B1=1"},
    {"transpose", "N=11, s=1, B0=1, B1=5"},
    {"matmul", "n=8, s=2, B0=2, ub1=2"},
    {"matmul", "n=17, s=4, B0=8, ub1=4"},
    {"matmul", "n=9, s=1, B0=3, ub1=3"},
    {"jacobi2d", "N=12, s=2, B0=3, B1=2, t=0"},
    {"jacobi2d", "N=13, s=1, B0=4, B1=4, t=1"},
    {"jacobi2d", "N=7, s=4, B0=1, B1=1, t=1"},
    {"heat3d", "N=8, s=2, B0=1, B1=2, B2=3"},
    {"heat3d", "N=9, s=1, B0=2, B1=3, B2=1"},
    {"axpy", "n=37, s=2, B=4"},
    {"axpy", "n=5, s=8, B=16"},
    {"axpy", "n=16, s=1, B=1"},
    {"matmul", "n=16, s=2, B0=4, ub1=2"},
    {"matmul", "n=16, s=4, B0=8, ub1=4"},
    {"heat3d", "N=10, s=2, B0=1, B1=2, B2=4"},
    {"jacobi1d", "N=36, s=2, B=4, t=0"},
    {"jacobi1d", "N=52, s=3, B=8, t=1"},
    {"matvec", "m=10, n=16, B=4, h=8"},
    {"transpose", "N=16, s=2, B0=4, B1=2"},
    {"transpose", "N=24, s=1, B0=8, B1=12"},
    {"axpy", "n=36, s=4, B=4"},
    /* Blocks that coarsening divides by 2 and by 4, along one axis and along both. */
    {"matadd", "N=19, B0=8, B1=4"},
    {"jacobi1d", "N=35, s=2, B=4, t=1"},
    {"transpose", "N=18, s=2, B0=4, B1=4"},
    {"matmul", "n=17, s=2, B0=8, ub1=4"},
    {"jacobi2d", "N=15, s=2, B0=4, B1=4, t=1"},
    {"heat3d", "N=9, s=1, B0=4, B1=1, B2=4"},
    {"axpy", "n=41, s=2, B=8"},
    {"matvec", "m=17, n=12, B=8, h=4"},
    {"matvec", "m=10, n=12, B=4, h=3"},
    {"matvec", "m=7, n=11, B=8, h=2"},
    {"matvec", "m=3, n=8, B=1, h=4"},
};

static char *set_text(struct arena *arena, uint64_t set)
{
    struct str text = str_new(arena);
    for (int i = 0; i < STRATEGY_COUNT; i++)
        if (set >> i & 1)
            str_addf(&text, " %s", strategy_table(i)->name);
    return text.text;
}

/* How often a kernel was run, and how often its extents do not divide at the point, where it may
   not be launched. */
static size_t n_run, n_indivisible;

static void check_set(struct check *check, struct store *store, uint64_t set, bool symbolic)
{
    struct ctx *ctx = store->ctx;
    const struct kernel *base = store->space->region->kernel;
    struct kernel_entry *build = set_kernel(store, set, symbolic);
    if (!check_that(check, build != NULL, "%s:%s: %s", base->name, set_text(ctx->arena, set),
                    ctx->last))
        return;
    for (size_t i = 0; i < sizeof POINTS / sizeof *POINTS; i++) {
        union value params[64];
        size_t stem = strlen(POINTS[i].sample);
        if (strncmp(base->name, POINTS[i].sample, stem) != 0 ||
            !params_set(base, POINTS[i].params, params))
            continue;
        for (uint64_t seed = 0; seed < 2; seed++) {
            bool strided = kernel_all_strided(build->kernel);
            const char *why = "";
            bool ok = kernels_agree(
                ctx, base, build->kernel,
                (struct trial){params, strided ? 3 + (int64_t)seed * 4 : 0, seed}, &why);
            *(kernel_indivisible(build->kernel, params) ? &n_indivisible : &n_run) += 1;
            if (!check_that(check, ok, "%s at %s:%s%s: %s", base->name, POINTS[i].params,
                            set_text(ctx->arena, set), symbolic ? " (symbolic)" : "", why))
                return;
        }
    }
}

/* A row has a point at least, or its sample would pass unseen. */
static bool has_point(const char *sample)
{
    for (size_t i = 0; i < sizeof POINTS / sizeof *POINTS; i++)
        if (strcmp(POINTS[i].sample, sample) == 0)
            return true;
    return false;
}

static void check_region(struct check *check, struct ctx *ctx, const struct region *region)
{
    check_test(check);
    struct store *store = store_bare(ctx, region);
    check_set(check, store, 0, false);
    check_set(check, store, 0, true);
    for (int i = 0; i < STRATEGY_COUNT; i++)
        check_set(check, store, (uint64_t)1 << i, false);
    for (int i = 0; i < 8; i++)
        check_set(check, store, (uint64_t)rand() % ((uint64_t)1 << STRATEGY_COUNT), i % 2);
}

static void check_setting(struct check *check, struct store *store, const char *path,
                          const char *setting)
{
    static const uint64_t SETS[] = {
        0,
        STRATEGY_BIT(GRANULARITY),
        STRATEGY_BIT(STRIDE),
        STRATEGY_BIT(SCALAR_REPLACE),
        STRATEGY_BIT(DROP) | STRATEGY_BIT(SCALAR_REPLACE) | STRATEGY_BIT(CSE1),
        STRATEGY_BIT(VECTOR),
        STRATEGY_BIT(VECTOR_LOOP),
        STRATEGY_BIT(REMAP),
        STRATEGY_BIT(REMAP) | STRATEGY_BIT(GRANULARITY) | STRATEGY_BIT(VECTOR),
        STRATEGY_BIT(VECTOR) | STRATEGY_BIT(VECTOR_LOOP) | STRATEGY_BIT(SCALAR_REPLACE) |
            STRATEGY_BIT(CSE2),
        STRATEGY_BIT(GRANULARITY) | STRATEGY_BIT(CSE1) | STRATEGY_BIT(CSE2),
        STRATEGY_BIT(COARSEN_Y2),
        STRATEGY_BIT(COARSEN_Y4),
        STRATEGY_BIT(COARSEN_X2),
        STRATEGY_BIT(COARSEN_Y4) | STRATEGY_BIT(SCALAR_REPLACE),
        STRATEGY_BIT(UNROLL4),
        STRATEGY_BIT(UNROLL8),
        STRATEGY_BIT(UNROLL4) | STRATEGY_BIT(COARSEN_Y2) | STRATEGY_BIT(CSE1) | STRATEGY_BIT(CSE2),
        STRATEGY_BIT(COARSEN_X4) | STRATEGY_BIT(REMAP) | STRATEGY_BIT(VECTOR) |
            STRATEGY_BIT(VECTOR_LOOP),
        STRATEGY_BIT(COARSEN_Y2) | STRATEGY_BIT(COARSEN_X4) | STRATEGY_BIT(GRANULARITY),
        STRATEGY_BIT(COARSEN_Y4) | STRATEGY_BIT(COARSEN_X4) | STRATEGY_BIT(CSE1) |
            STRATEGY_BIT(CSE2),
        STRATEGY_BIT(COARSEN_Y8),
        STRATEGY_BIT(COARSEN_Y2) | STRATEGY_BIT(COARSEN_X2) | STRATEGY_BIT(DROP) |
            STRATEGY_BIT(SCALAR_REPLACE)};
    const struct kernel *base = store->space->region->kernel;
    union value params[64];
    if (!params_set(base, setting, params)) {
        check->skipped++;
        return;
    }
    for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++) {
        struct kernel_entry *build = set_kernel(store, SETS[i], false);
        const struct part_list *parts = store_parts(store, set_key(SETS[i]), false);
        const char *why = "no kernel";
        if (parts && parts->count > 1) {
            check->skipped++;              /* a second kernel finishes sums: optimizer_parts.c */
            return;
        }
        int64_t threads = build && kernel_all_strided(build->kernel) ? 5 : 0;
        bool ok = build && kernels_agree(store->ctx, base, build->kernel,
                                         (struct trial){params, threads, i}, &why);
        if (!ok && strncmp(why, "reference", 9) == 0) {
            check->skipped++;              /* these values are for the whole function, not for its
                                              region alone */
            return;
        }
        check_that(check, ok, "%s at %s:%s: %s", path, setting,
                   set_text(store->ctx->arena, SETS[i]), why);
    }
}

static void check_program(struct check *check, const char *path)
{
    struct ctx *ctx = ctx_new();
    size_t length;
    ctx->quiet = true;
    struct program *program = program_read(ctx, path, &READING);
    const char *text = file_read(ctx, path, &length);
    check->skipped += !program;            /* tests of metafork say whether it should be readable */
    for (size_t k = 0; program && text && k < program->n_regions; k++) {
        struct store *store = store_bare(ctx, program->regions[k]);
        const char *rest = text, *setting;
        for (int i = 0; i < SETTINGS_MAX && (setting = setting_next(ctx, "// SET:", &rest)); i++)
            check_setting(check, store, path, setting);
    }
    ctx_free(ctx);
}

static void check_programs(struct check *check)
{
    check_test(check);
    glob_t found = {0};
    glob("tests/programs/*.c", 0, NULL, &found);
    check_that(check, found.gl_pathc > 0, "no program in tests/programs");
    for (size_t i = 0; i < found.gl_pathc; i += (size_t)test_scale(3, 1))
        check_program(check, found.gl_pathv[i]);
    globfree(&found);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct samples samples = {0};
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
    printf("seed %u\n", seed);
    srand(seed);
    while (samples_next(&check, &samples)) {
        check_that(&check, has_point(samples.name), "%s has no point", samples.name);
        for (size_t k = 0; k < samples.program->n_regions; k++)
            check_region(&check, samples.ctx, samples.program->regions[k]);
    }
    check_programs(&check);
    printf("%zu runs, %zu refused launches\n", n_run, n_indivisible);
    check_that(&check, n_run > 0 && n_indivisible > 0, "no point divides, or all do");
    return check_end(&check, "optimizer_strategies");
}
