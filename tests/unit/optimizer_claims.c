/* What strategies promise (spec C-09; design, "Search"). For every sample, and for one whose tiles
   are filled a round ahead (--stages), every strategy O and every counter f that its `claims`
   column names, with the kernels of several sets S: f(O(S)) <= f(S) for resources, >= for targets,
   at random parameter points by evaluation, and the solver is asked for all points at once (what
   it proves is told, not required). A rewrite that is applied again changes no counter: f(O(O(S)))
   = f(O(S)), by calling its function on its own result. That the comparison could fail: every
   resource must be better somewhere. */
#include "ir/async.h"
#include "optimizer/search.h"
#include "optimizer_rewrites.h"
#include "optimizer_test.h"
#include "optimizer/counters/scope.h"

enum {
    POINTS_TRIED = 400,
    POINTS_USED = 40,
    RANDOM_SETS = 5,
    COSTLY_SETS = 3,
    SETS_MOST = STRATEGY_COUNT + RANDOM_SETS + 1
};

struct tally {
    int compared, strict, proved, asked;
    bool falls[COUNTER_COUNT];             /* the counter was better somewhere */
    int again;
};

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

/* A value for the variable of that name: the same one in every ring. */
static int64_t value_of(const char *name, uint64_t seed)
{
    uint64_t hash = seed;
    for (const char *p = name; *p; p++)
        hash = mix(hash + (unsigned char)*p);
    uint64_t most = hash % 3 ? 16 : 600;
    return 1 + (int64_t)(mix(hash) % most);
}

static void point_make(const struct ring *ring, uint64_t seed, int64_t *point)
{
    for (int v = 0; v < RING_CAPACITY; v++)
        point[v] = v < ring_count(ring) ? value_of(ring_name(ring, v), seed) : 1;
}

/* The value as a fraction; false where it has none. */
static bool value_at(const struct counter_value *value, uint64_t seed, int64_t *numerator,
                     int64_t *denominator)
{
    int64_t point[RING_CAPACITY];
    if (!value->count)
        return false;
    point_make(poly_ring(value->pieces[0].numerator), seed, point);
    return counter_value_at(value, point, numerator, denominator) >= 0 && *denominator > 0;
}

/* -1, 0, 1 by seed: the first value against the second; 2 where one of them has no value. */
static int compare_at(const struct counter_value *a, const struct counter_value *b, uint64_t seed)
{
    int64_t n[2], d[2];
    if (!value_at(a, seed, &n[0], &d[0]) || !value_at(b, seed, &n[1], &d[1]))
        return 2;
    if (n[0] > INT64_MAX / d[1] || n[1] > INT64_MAX / d[0])
        return 2;
    int64_t left = n[0] * d[1], right = n[1] * d[0];
    return (left > right) - (left < right);
}

static bool admissible(const struct store *store, uint64_t seed)
{
    int64_t point[RING_CAPACITY];
    point_make(store->space->ring, seed, point);
    return sas_holds(store->space->initial, point) == 1;
}

/* The seeds of points that the region's facts admit. */
static int points_choose(const struct store *store, uint64_t *seeds)
{
    int count = 0;
    for (int i = 0; i < POINTS_TRIED && count < POINTS_USED; i++) {
        uint64_t seed = (uint64_t)rand() + 1;
        if (admissible(store, seed))
            seeds[count++] = seed;
    }
    return count;
}

static bool names(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static const char *set_text(struct arena *arena, uint64_t set)
{
    struct str text = str_new(arena);
    for (int i = 0; i < STRATEGY_COUNT; i++)
        if (set >> i & 1)
            str_addf(&text, "%s%s", text.length ? " " : "", strategy_table(i)->name);
    return text.text ? text.text : "";
}

struct judge {
    struct check *check;
    struct tally *tally;
    struct store *store;
    const uint64_t *seeds;
    int n_seeds;
};

static bool has_stages(struct store *store, uint64_t set)
{
    struct kernel_entry *build = set_kernel(store, set, false);
    return build && kernel_has_async(store->ctx->arena, build->kernel);
}

/* Leaves with less of anything come without stages (docs/design.md), and the search drops these
   first: where the strategy takes stages along, its claim is about the set without them. */
static uint64_t set_compared(struct store *store, uint64_t set, int strategy)
{
    uint64_t bit = (uint64_t)1 << strategy, dropped = STRATEGY_BIT(DROP_STAGES);
    bool takes_along = store->space->options->stages && bit != dropped &&
                       has_stages(store, set) && !has_stages(store, set | bit);
    return takes_along ? set | dropped : set;
}

static void judge_claim(struct judge *j, uint64_t set, int strategy, int symbol)
{
    struct store *store = j->store;
    set = set_compared(store, set, strategy);
    const struct counter_value *before = set_value(store, set, symbol);
    const struct counter_value *after = set_value(store, set | (uint64_t)1 << strategy, symbol);
    int better = counter_table(symbol)->kind == COUNTER_TARGET ? 1 : -1;
    if (!check_that(j->check, before && after, "%s: %s has no value for {%s} and %s: %s",
                    store->space->region->name, counter_table(symbol)->name,
                    set_text(store->ctx->arena, set), strategy_table(strategy)->name,
                    store->ctx->last))
        return;
    for (int i = 0; i < j->n_seeds; i++) {
        int order = compare_at(after, before, j->seeds[i]);
        if (order == 2)
            continue;
        j->tally->compared++;
        j->tally->strict += order == better;
        j->tally->falls[symbol] |= order == better;
        if (!check_that(j->check, order != -better, "%s: %s makes %s worse on {%s} at point %llu",
                        store->space->region->name, strategy_table(strategy)->name,
                        counter_table(symbol)->name, set_text(store->ctx->arena, set),
                        (unsigned long long)j->seeds[i]))
            return;
    }
    if (counter_table(symbol)->kind == COUNTER_RESOURCE) {
        j->tally->asked++;
        struct slots slots = {0};
        const struct counter_value *old = value_bind(store->space, before, &slots, 0);
        const struct counter_value *new = value_bind(store->space, after, &slots, 0);
        j->tally->proved += !counter_may_rise(store->ctx->arena, store->space->initial, old, new);
    }
}

/* Strategies that multiply the text. */
static const uint64_t COPYING = STRATEGY_BIT(UNROLL4) | STRATEGY_BIT(UNROLL8) |
                                STRATEGY_BIT(COARSEN_Y2) | STRATEGY_BIT(COARSEN_Y4) |
                                STRATEGY_BIT(COARSEN_X2) | STRATEGY_BIT(COARSEN_X4);

/* Estimates of registers cost a compilation each: fewer sets, without copies. */
static bool is_costly(int symbol)
{
    return symbol == COUNTER_REGISTERS || symbol == COUNTER_REGISTERS_PER_BLOCK ||
           symbol == COUNTER_SPILLS || symbol == COUNTER_OCCUPANCY || symbol == COUNTER_TIME;
}

static void judge_strategy(struct judge *j, int strategy)
{
    uint64_t sets[SETS_MOST], bit = (uint64_t)1 << strategy;
    int count = 0;
    sets[count++] = 0;
    for (int i = 0; i < RANDOM_SETS; i++)
        sets[count++] =
            (((uint64_t)rand() << 20) ^ (uint64_t)rand()) % ((uint64_t)1 << STRATEGY_COUNT) &
            ~(bit | STRATEGY_BIT(STRIDE));
    for (int i = 0; i < STRATEGY_COUNT; i++)
        if (i != strategy && !strategy_table(i)->is_final)
            sets[count++] = (uint64_t)1 << i;
    for (int symbol = 0; symbol < COUNTER_COUNT; symbol++)
        for (int i = 0; i < (is_costly(symbol) ? COSTLY_SETS : count) &&
                        names(strategy_table(strategy)->claims, counter_table(symbol)->name);
             i++)
            judge_claim(j, is_costly(symbol) ? sets[i] & ~COPYING : sets[i], strategy, symbol);
}

static const struct kernel *once(struct store *store, int strategy)
{
    if (strategy == STRATEGY_GRANULARITY)
        return store->space->region->n_coarse
                   ? strategy_granularity(store->ctx, store->space->region->kernel)
                   : NULL;
    struct kernel_entry *build = set_kernel(store, (uint64_t)1 << strategy, false);
    return build ? build->kernel : NULL;
}

static void judge_again(struct judge *j, int strategy)
{
    struct store *store = j->store;
    const struct kernel *first = once(store, strategy),
                        *second =
                            first ? rewrite_apply(store->ctx, store->space->region, first, strategy)
                                  : NULL;
    if (first && strategy == STRATEGY_GRANULARITY)
        second = strategy_granularity(store->ctx, first);
    if (!second)
        return;
    check_that(j->check, kernel_verify(store->ctx, second), "%s: %s twice: %s",
               store->space->region->name, strategy_table(strategy)->name, store->ctx->last);
    for (int symbol = 0; symbol < COUNTER_COUNT; symbol++) {
        bool scalar = strategy == STRATEGY_CSE1 || strategy == STRATEGY_CSE2 ||
                      names(strategy_table(strategy)->claims, "registers");
        if (is_costly(symbol) && !scalar)
            continue;
        struct counter_value a = counter_table(symbol)->evaluate(store, first),
                             b = counter_table(symbol)->evaluate(store, second);
        for (int i = 0; i < j->n_seeds; i++) {
            int order = compare_at(&a, &b, j->seeds[i]);
            if (order == 2)
                continue;
            j->tally->again++;
            if (!check_that(j->check, order == 0, "%s: %s twice changes %s at point %llu",
                            store->space->region->name, strategy_table(strategy)->name,
                            counter_table(symbol)->name, (unsigned long long)j->seeds[i]))
                break;
        }
    }
}

static void judge_region(struct check *check, struct tally *tally, struct ctx *ctx,
                         const struct region *region, const struct tree_options *options)
{
    check_test(check);
    uint64_t seeds[POINTS_USED];
    struct store *store = store_under(ctx, region, options);
    struct judge j = {check, tally, store, seeds, 0};
    for (int i = 0; i < STRATEGY_COUNT; i++)
        set_value(store, (uint64_t)1 << i, COUNTER_THREADS);
    j.n_seeds = points_choose(store, seeds);
    check_that(check, j.n_seeds >= POINTS_USED / 4, "%s: only %d points", region->name, j.n_seeds);
    for (int i = 0; i < STRATEGY_COUNT; i++) {
        judge_strategy(&j, i);
        judge_again(&j, i);
    }
}

/* A product whose tiles are filled a round ahead. */
static void judge_stages(struct check *check, struct tally *tally)
{
    static const struct tree_options options = {.stages = true};
    struct ctx *ctx = ctx_new();
    const struct program *program = sample_read(ctx, "matmul");
    if (check_that(check, program != NULL, "matmul cannot be read"))
        judge_region(check, tally, ctx, program->regions[0], &options);
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    static const struct tree_options usual = {0};
    struct check check = {0};
    struct tally tally = {0};
    struct samples samples = {0};
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 31;
    printf("seed %u\n", seed);
    srand(seed);
    while (samples_next(&check, &samples))
        for (size_t k = 0; k < samples.program->n_regions; k++)
            judge_region(&check, &tally, samples.ctx, samples.program->regions[k], &usual);
    judge_stages(&check, &tally);
    printf("%d points compared, better at %d; %d of %d claims proved for all points; %d points of "
           "rewrites applied twice\n",
           tally.compared, tally.strict, tally.proved, tally.asked, tally.again);
    tally.falls[COUNTER_DEVICE_WORDS] = true;           /* no kernel decides them */
    for (int i = 0; i < COUNTER_COUNT; i++)
        check_that(&check, counter_table(i)->kind != COUNTER_RESOURCE || tally.falls[i],
                   "no strategy ever betters %s", counter_table(i)->name);
    return check_end(&check, "optimizer_claims");
}
