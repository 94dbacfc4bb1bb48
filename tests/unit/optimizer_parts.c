/* Leaves of several launches: of a region whose sum is finished by a second kernel every counter of
   every leaf is, at random points, the largest, the least or the sum of what its row says of the
   kernels alone; values made by hand, of which no fact tells which is larger, have a bound above
   both (resources) or a case for each (reports); launches, requirements and figures are those of
   the kernels.
   Arguments: other programs, taken besides. */
#include "optimizer/cases.h"
#include "optimizer/counters/scope.h"
#include "tests/unit/optimizer_test.h"

static const char PROGRAM[] = "tests/host/Inputs/dot.c";

enum { POINTS = 20 };

/* A number of its own for every name, so that values over several rings are taken at one point. */
static int64_t number_of(const char *name, int round)
{
    uint64_t hash = 1469598103934665603u + (uint64_t)round * 7919u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    return 1 + (int64_t)(hash >> 33) % 12;
}

/* False where the value has none at the point. */
static bool value_at(const struct counter_value *value, int round, double *result)
{
    int64_t point[RING_CAPACITY] = {0}, numerator, denominator;
    const struct ring *ring = poly_ring(value->pieces[0].numerator);
    for (int v = 0; v < ring_count(ring); v++)
        point[v] = number_of(ring_name(ring, v), round);
    struct counter_value whole = *value;
    struct counter_piece *pieces = calloc(value->count, sizeof *pieces);
    for (size_t i = 0; i < value->count; i++) {
        const struct poly *top = value->pieces[i].numerator, *below = value->pieces[i].denominator;
        int64_t scale = poly_denominator(top);
        pieces[i] = value->pieces[i];
        pieces[i].numerator = poly_scale(top, scale, 1);
        pieces[i].denominator = below ? poly_scale(below, scale, 1)
                                      : poly_integer(poly_ring(top), scale);
    }
    whole.pieces = pieces;
    bool has = counter_value_at(&whole, point, &numerator, &denominator) >= 0 && denominator;
    *result = has ? (double)numerator / (double)denominator : 0;
    free(pieces);
    return has;
}

static bool is_near(double a, double b)
{
    double difference = a > b ? a - b : b - a;
    return difference <= 1e-9 * (1 + (a > b ? a : b));
}

static void joined_check(struct check *check, const struct counter *counter, const char *what,
                         const struct counter_value *joined, const struct counter_value *a,
                         const struct counter_value *b)
{
    int at = 0, most = 0;
    for (int round = 0; round < POINTS; round++) {
        double x, y, both;
        if (!value_at(a, round, &x) || !value_at(b, round, &y))
            continue;
        most++;
        if (!value_at(joined, round, &both))
            continue;
        at++;
        double largest = x > y ? x : y, least = x > y ? y : x;
        bool agrees = counter->parts == PARTS_SUM     ? is_near(both, x + y)
                      : counter->parts == PARTS_LEAST ? is_near(both, least)
                                                      : is_near(both, largest);
        if (counter->kind == COUNTER_RESOURCE)
            agrees |= both > largest && joined->pieces[0].exactness != COUNTER_EXACT;
        check_that(check, agrees, "%s of %s is %g of %g and %g", counter->name, what, both, x, y);
    }
    check_that(check, 4 * at >= most, "%s of %s: %d points of %d", counter->name, what, at, most);
}

/* --- by hand ---------------------------------------------------------------------------------- */

/* A value, or none for NULL. */
static const struct counter_value *value_of(struct store *store, const char *text)
{
    const char *error = NULL;
    struct counter_value *value = ARENA_NEW(store->ctx->arena, struct counter_value);
    *value = value_poly(store, poly_read(store->space->ring, text, &error), COUNTER_EXACT);
    return value;
}

struct pair {
    int symbol;
    const char *a, *b;
    size_t pieces;                       /* of both together */
    bool is_exact;
};

static void pairs_check(struct check *check, struct store *store)
{
    static const struct pair PAIRS[] = {
        {COUNTER_THREADS, "B0", "2*B0", 1, true},
        {COUNTER_THREADS, "2*B0", "B0", 1, true},
        {COUNTER_SHARED, "2*B0 + 3*n + 7", "4*B0 + n", 1, false},
        {COUNTER_SHARED, "B0^2 + 5", "6*B0", 1, false},
        {COUNTER_REGISTERS, "30", "24", 1, true},
        {COUNTER_LINES, "2*B0 + 3*n", "4*B0 + n", 2, true},
        {COUNTER_LINES, "4*B0 + 3*n", "4*B0 + n", 1, true},
        {COUNTER_COALESCING, "B0", "n", 2, true},
        {COUNTER_TRAFFIC, "B0*n", "n + 3", 1, true},
    };
    check_test(check);
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        const struct pair *pair = &PAIRS[i];
        const struct counter *counter = counter_table(pair->symbol);
        const struct counter_value *a = value_of(store, pair->a), *b = value_of(store, pair->b);
        const struct counter_value *joined = value_join(store, counter, a, b, 1);
        if (!check_that(check, joined != NULL, "%s and %s are joined", pair->a, pair->b))
            continue;
        joined_check(check, counter, arena_printf(store->ctx->arena, "%s, %s", pair->a, pair->b),
                     joined, a, b);
        check_that(check, joined->count == pair->pieces, "%s, %s: %zu pieces", pair->a, pair->b,
                   joined->count);
        check_that(check, (counter_exactness(joined) == COUNTER_EXACT) == pair->is_exact,
                   "%s, %s: exact?", pair->a, pair->b);
    }
}

/* --- a region --------------------------------------------------------------------------------- */

static void key_check(struct check *check, struct store *store, struct key key, const char *what)
{
    const struct part_list *parts = store_parts(store, key, false);
    if (!check_that(check, parts && parts->count == 2, "%s: two kernels", what))
        return;
    check_that(check,
               store_parts(store, key, false) == parts && !store_kernel(store, key, 2, false),
               "%s: the same two", what);
    for (int i = 0; i < COUNTER_COUNT; i++) {
        const struct counter *counter = counter_table(i);
        if (i == COUNTER_DEVICE_WORDS)          /* of the region's arrays, not of a kernel */
            continue;
        const struct counter_value *both = store_counter(store, key, i);
        struct counter_value a = counter->evaluate(store, parts->at[0]->kernel),
                             b = counter->evaluate(store, parts->at[1]->kernel);
        if (!check_that(check, both != NULL, "%s: %s", what, counter->name))
            continue;
        if (a.count && b.count && both->count)
            joined_check(check, counter, what, both, &a, &b);
        else
            check_that(check, counter->kind == COUNTER_TARGET || both->count == 0,
                       "%s: %s has a value", what, counter->name);
    }
}

static void tree_check(struct check *check, struct ctx *ctx, const struct region *region)
{
    static const struct tree_options options = {0};
    const struct tree *tree = tree_build(ctx, region, &options);
    if (!check_that(check, tree != NULL, "a tree of %s: %s", region->name, ctx->last))
        return;
    for (size_t v = 0; v < tree->n_variants; v++) {
        const struct variant *variant = &tree->variants[v];
        check_that(check, variant->n_launches == 2, "leaf %d has two launches", variant->id);
        for (size_t i = 0; i < variant->n_launches; i++) {
            const struct launch *launch = &variant->launches[i];
            check_that(check,
                       launch->number == (int)i + 1 && launch->registers && launch->figures &&
                           launch->kernel->n_params == region->kernel->n_params &&
                           kernel_array(launch->kernel, "s") != NULL,
                       "launch %zu of leaf %d", i + 1, variant->id);
        }
    }
}

static void program_check(struct check *check, const char *path)
{
    struct ctx *ctx = ctx_new();
    const struct program *program = program_read(ctx, path, &READING);
    if (check_that(check, program && program->n_regions, "%s: %s", path, ctx->last)) {
        const struct region *region = program->regions[0];
        struct store *store = store_bare(ctx, region);
        pairs_check(check, store);
        check_test(check);
        key_check(check, store, set_key(0), "no strategy");
        key_check(check, store, set_key(STRATEGY_BIT(STRIDE)), "strided bands");
        key_check(check, store, set_key(STRATEGY_BIT(COARSEN_Y4) | STRATEGY_BIT(CSE2)), "rows");
        check_test(check);
        tree_check(check, ctx, region);
    }
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    program_check(&check, PROGRAM);
    for (int i = 1; i < argc; i++)
        program_check(&check, argv[i]);
    return check_end(&check, "optimizer_parts");
}
