/* The tables of counters and strategies, and the small predicates that their rows name.

   In: counter.def, strategy.def. Out: rows by number or name. To add a row see the legends there. */
#include "optimizer/store.h"
#include "optimizer/strategies/strategies.h"
#include <string.h>

static bool always_applicable(struct store *store, const struct kernel *base)
{
    (void)store;
    (void)base;
    return true;
}

static bool stride_applicable(struct store *store, const struct kernel *base)
{
    (void)store;
    return !kernel_all_strided(base);
}

static bool granularity_applicable(struct store *store, const struct kernel *base)
{
    (void)base;
    return store->region->n_coarse > 0;
}

/* What cannot be proved about the annotation is believed, but nothing is built on it. */
static bool remap_applicable(struct store *store, const struct kernel *base)
{
    return store_independent(store) && strategy_remap(store->ctx, base) != base;
}

/* A kernel without tiles has nothing to copy. */
static bool vector_applicable(struct store *store, const struct kernel *base)
{
    return base->shared_bytes && strategy_vector(store->ctx, base)->body != base->body;
}

static bool vector_loop_applicable(struct store *store, const struct kernel *base)
{
    return strategy_vector_loop(store->ctx, base)->body != base->body;
}

static bool drop_applicable(struct store *store, const struct kernel *base)
{
    (void)store;
    return base->shared_bytes != NULL;
}

static bool scalar_applicable(struct store *store, const struct kernel *base)
{
    return strategy_scalar_rotates(store->ctx, base);
}

/* drop-N: its array is staged, and another one too (else it would be drop-caching). */
static bool drop_single(struct store *store, const struct kernel *base, int n)
{
    const struct array *array = drop_array(store, n);
    bool found = false;
    return array && strategy_staged_count(base, array->name, &found) >= 2 && found;
}

static bool drop1_applicable(struct store *store, const struct kernel *base)
{
    return drop_single(store, base, 0);
}

static bool drop2_applicable(struct store *store, const struct kernel *base)
{
    return drop_single(store, base, 1);
}

static bool drop3_applicable(struct store *store, const struct kernel *base)
{
    return drop_single(store, base, 2);
}

static bool pad_applicable(struct store *store, const struct kernel *base)
{
    const char *const *names;
    return strategy_pad_choose(store->ctx, base, &names) > 0;
}

/* What a kernel of a set has been divided by along an axis (remapping changes the order of the axes). */
static int64_t coarsen_factor(const struct store *store, const struct kernel *base, int axis)
{
    const struct kernel *whole = store->region->kernel;
    const struct expr *extent = base->block[axis].extent, *before = NULL;
    int64_t size, divisor;
    for (int i = 0; i < whole->n_block; i++)
        if (strcmp(whole->block[i].var->name, base->block[axis].var->name) == 0)
            before = whole->block[i].extent;
    if (!before || expr_equal(extent, before))
        return 1;
    if (expr_get_integer(before, &size) && expr_get_integer(extent, &divisor) && divisor > 0)
        return size / divisor;
    bool divides = extent->kind == EXPR_BINARY && extent->op == OP_DIV && expr_get_integer(extent->arguments[1], &divisor);
    return divides ? divisor : 1;
}

/* Along y, the outermost axis, or x, the last one of two or more, by a factor larger than so far. Only what is proved
   independent is interleaved, not what the programmer's word alone stands for. */
static bool coarsen_applicable(struct store *store, const struct kernel *base, bool is_x, int factor)
{
    int axis = is_x ? base->n_block - 1 : 0;
    if (!store_independent(store) || kernel_all_strided(base) || (is_x && axis == 0))
        return false;
    int64_t present = coarsen_factor(store, base, axis);
    return present < factor && (present > 1 || strategy_coarsen(store->ctx, base, axis, factor) != base);
}

static bool coarsen_y2_applicable(struct store *store, const struct kernel *base)
{
    return coarsen_applicable(store, base, false, 2);
}

static bool coarsen_y4_applicable(struct store *store, const struct kernel *base)
{
    return coarsen_applicable(store, base, false, 4);
}

static bool coarsen_x2_applicable(struct store *store, const struct kernel *base)
{
    return coarsen_applicable(store, base, true, 2);
}

static bool coarsen_x4_applicable(struct store *store, const struct kernel *base)
{
    return coarsen_applicable(store, base, true, 4);
}

static bool unroll4_applicable(struct store *store, const struct kernel *base)
{
    return !kernel_all_strided(base) && strategy_unroll(store->ctx, base, 4) != base;
}

static bool unroll8_applicable(struct store *store, const struct kernel *base)
{
    return !kernel_all_strided(base) && strategy_unroll(store->ctx, base, 8) != base;
}

const struct counter *counter_table(int symbol)
{
    static const struct counter TABLE[COUNTER_COUNT] = {
#define X(SYMBOL, name, json, unit, limit, kind, sigma) {#name, json, unit, COUNTER_##kind, COUNTER_##kind == COUNTER_REPORT ? NULL : #limit, sigma, counter_##name},
#include "optimizer/counter.def"
#undef X
    };
    return &TABLE[symbol];
}

const struct strategy *strategy_table(int symbol)
{
    static const struct strategy TABLE[STRATEGY_COUNT] = {
#define X(SYMBOL, name, code, phase, ir, sweep, final, paper, claims, applicable) {name, code, phase, ir, sweep, final, paper, claims, applicable},
#include "optimizer/strategy.def"
#undef X
    };
    return &TABLE[symbol];
}

int counter_find(const char *name)
{
    for (int i = 0; i < COUNTER_COUNT; i++)
        if (strcmp(counter_table(i)->name, name) == 0)
            return i;
    return -1;
}

int strategy_find(const char *name)
{
    for (int i = 0; i < STRATEGY_COUNT; i++)
        if (strcmp(strategy_table(i)->name, name) == 0)
            return i;
    return -1;
}

const char *exactness_name(enum exactness exactness)
{
    static const char *const NAMES[] = {"exact", "upper", "lower", "estimate", "measured", "injected"};
    return NAMES[exactness];
}

const char *counter_kind_name(enum counter_kind kind)
{
    static const char *const NAMES[] = {"resource", "target", "report"};
    return NAMES[kind];
}

enum exactness counter_exactness(const struct counter_value *value)
{
    enum exactness all = value->pieces[0].exactness;
    for (size_t i = 1; i < value->count; i++) {
        enum exactness next = value->pieces[i].exactness;
        if (all == COUNTER_EXACT)
            all = next;
        else if (next != COUNTER_EXACT && next != all)
            all = COUNTER_ESTIMATE;
    }
    return all;
}
