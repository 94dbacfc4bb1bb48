/* Register pressure in three levels, monotone by keeping the better attempt: for every sample and
   for programs of tests/counters and tests/programs drawn by seed, with and without granularity
   reduced and CSE, each level needs no more registers per thread and per block than the one before,
   and levels 1 and 2 spill no more words, proved by the solver. Level 3 is a cap below the
   estimate: it pays with spilled words. Arguments: seed, how many programs (0 = all). That the
   levels do anything: registers must be fewer somewhere. */
#include "optimizer_test.h"
#include <glob.h>

static const char *const COUNTERS[] = {"registers", "registers_per_block", "spills"};
enum { COUNTER_NAMES = sizeof COUNTERS / sizeof *COUNTERS, DRAWN = 16, SPILLS = 2 };

struct totals {
    int regions, fewer, proved;
    bool seen[COUNTER_NAMES];              /* is there such a counter? */
};

static const uint64_t LEVELS[] = {
    0, STRATEGY_BIT(PRESSURE1), STRATEGY_BIT(PRESSURE1) | STRATEGY_BIT(PRESSURE2),
    STRATEGY_BIT(PRESSURE1) | STRATEGY_BIT(PRESSURE2) | STRATEGY_BIT(PRESSURE3)};

/* The polynomials that decide: the keys, or the numerators of the pieces; NULL where there is
   none. */
static const struct poly *value_poly_at(const struct counter_value *value, size_t i)
{
    if (value->n_keys)
        return i < value->n_keys ? value->keys[i] : NULL;
    return i < value->count && !value->pieces[i].denominator ? value->pieces[i].numerator : NULL;
}

static void check_level(struct check *check, struct store *store, struct totals *totals,
                        uint64_t base, int level)
{
    struct sas facts = store->space->region->kernel->facts;
    const char *name = store->space->region->name;
    for (int i = 0; i < COUNTER_NAMES; i++) {
        int symbol = counter_find(COUNTERS[i]);
        if (symbol < 0 || (level == 3 && i == SPILLS))
            continue;
        totals->seen[i] = true;
        const struct counter_value *before = set_value(store, base | LEVELS[level - 1], symbol);
        const struct counter_value *after = set_value(store, base | LEVELS[level], symbol);
        if (!check_that(check, before && after, "%s: %s has no value at level %d", name,
                        COUNTERS[i], level))
            continue;
        for (size_t k = 0; value_poly_at(after, k) && value_poly_at(before, k); k++) {
            const struct poly *old = value_poly_at(before, k), *new = value_poly_at(after, k);
            int holds = sas_implies(facts, constraint_make(new, RELATION_LE, old));
            totals->proved += holds == 1;
            totals->fewer += i == 0 && holds == 1 && !poly_equal(old, new);
            check_that(check, holds == 1, "%s: %s rises at level %d from %s to %s", name,
                       COUNTERS[i], level, poly_text(store->ctx->arena, old),
                       poly_text(store->ctx->arena, new));
        }
    }
}

static void check_source(struct check *check, struct totals *totals, const char *path)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    ctx->quiet = true;
    struct program *program = program_read(ctx, path, &READING);
    check->skipped += !program;            /* tests of metafork say whether it should be readable */
    for (size_t r = 0; program && r < program->n_regions; r++) {
        struct store *store = store_bare(ctx, program->regions[r]);
        totals->regions++;
        for (int level = 1; level <= 3; level++) {
            check_level(check, store, totals, 0, level);
            check_level(check, store, totals,
                        STRATEGY_BIT(GRANULARITY) | STRATEGY_BIT(CSE1) | STRATEGY_BIT(CSE2), level);
        }
    }
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct totals totals = {0};
    struct ctx *ctx = ctx_new();
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 6;
    glob_t found = {0};
    int drawn = argc > 2 ? atoi(argv[2]) : DRAWN;
    glob("tests/counters/*.c", 0, NULL, &found);
    glob("tests/programs/*.c", GLOB_APPEND, NULL, &found);
    int count = (int)found.gl_pathc;
    check_that(&check, count > 0, "no programs");
    printf("seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < SAMPLE_COUNT; i++)
        check_source(&check, &totals, sample_path(ctx->arena, SAMPLES[i]));
    for (int i = 0; i < (drawn ? drawn : count) && count > 0; i++)
        check_source(&check, &totals, found.gl_pathv[drawn ? rand() % count : i]);
    printf("%d regions; %d times fewer registers; %d comparisons proved; spills are %s\n",
           totals.regions, totals.fewer, totals.proved,
           totals.seen[SPILLS] ? "compared" : "no counter");
    check_that(&check, totals.fewer > 10, "the levels save registers %d times only", totals.fewer);
    globfree(&found);
    ctx_free(ctx);
    return check_end(&check, "optimizer_pressure");
}
