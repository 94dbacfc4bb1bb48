/* Kernels by set of strategies.

   In:  the region's banded kernel and a set. Out: the kernel with the strategies of the set applied in phase order:
   stride (alone, with granularity reduced); what rewrites the banded kernel, on which access relations can be asked
   (granularity, remapping); placement (staging unless dropped, with padding, promotion, barriers); then what rewrites the
   placed kernel (coarsening, scalar replacement, vector accesses, unrolling, common subexpressions, register pressure).
   Invariant: a kernel is a function of the set, whatever the order of decisions was; each is made, verified and measured
   once. Values of counters hang on the kernel and are shared by sets that give the same text. Source: design, "Search". */
#include "optimizer/store.h"
#include "optimizer/strategies/strategies.h"
#include <string.h>

static const uint64_t SINGLE_DROPS = STRATEGY_BIT(DROP1) | STRATEGY_BIT(DROP2) | STRATEGY_BIT(DROP3);

static uint64_t set_canonical(uint64_t set)
{
    if (set & STRATEGY_BIT(DROP))
        set &= ~SINGLE_DROPS;
    return set & STRATEGY_BIT(STRIDE) ? STRATEGY_BIT(STRIDE) : set;
}

const struct array *drop_array(struct store *store, int n)
{
    const struct kernel *kernel = store->region->kernel;
    if (!store->drops_known) {
        struct sas facts = sas_join(store->ctx->arena, kernel->facts, store->region->conditions);
        store->n_staged = strategy_drop_order(store->ctx, kernel, facts, store->drop_order, DROPS);
        store->drops_known = true;
    }
    return n < store->n_staged ? kernel->arrays[store->drop_order[n]] : NULL;
}

/* The arrays that the set stages. */
static uint64_t set_stages(struct store *store, uint64_t set)
{
    uint64_t stages = set & STRATEGY_BIT(DROP) ? 0 : UINT64_MAX;
    for (int n = 0; n < DROPS && (set & SINGLE_DROPS); n++)
        if ((set >> (STRATEGY_DROP1 + n) & 1) && drop_array(store, n))
            stages &= ~((uint64_t)1 << store->drop_order[n]);
    return stages;
}

static int pressure_level(uint64_t set)
{
    if (set & STRATEGY_BIT(PRESSURE3))
        return 3;
    if (set & STRATEGY_BIT(PRESSURE2))
        return 2;
    return set & STRATEGY_BIT(PRESSURE1) ? 1 : 0;
}

bool store_independent(const struct store *store)
{
    enum access_verdict verdict = store->region->legality.verdict;
    return verdict == ACCESS_PROVED || verdict == ACCESS_PROVED_UNDER;
}

/* The axes in the other order, where that is asked for and proved legal. */
static const struct kernel *kernel_remapped(struct store *store, uint64_t set, const struct kernel *kernel)
{
    return set & STRATEGY_BIT(REMAP) && store_independent(store) ? strategy_remap(store->ctx, kernel) : kernel;
}

/* A kernel after the phases up to placement, which look at the access relations: most sets share it. */
static const struct kernel *kernel_placed(struct store *store, uint64_t set, bool symbolic)
{
    uint64_t decides = set & STRATEGY_BIT(PAD) ? STRATEGY_BIT(REMAP) : 0;   /* which way threads go through a tile */
    set &= STRATEGY_BIT(STRIDE) | STRATEGY_BIT(GRANULARITY) | STRATEGY_BIT(DROP) | SINGLE_DROPS | STRATEGY_BIT(PAD) | decides;
    for (size_t i = 0; i < store->stages.count; i++)
        if (store->stages.at[i].set == set && store->stages.at[i].symbolic == symbolic)
            return store->stages.at[i].kernel;
    struct ctx *ctx = store->ctx;
    const struct kernel *kernel = store->region->kernel;
    if ((set & STRATEGY_BIT(GRANULARITY) || set & STRATEGY_BIT(STRIDE)) && store->region->n_coarse > 0) {
        if (!store->reduced)
            store->reduced = strategy_granularity(ctx, kernel);
        kernel = store->reduced;
    }
    struct placement_options placement = {.stage = set_stages(store, set), .promote = true, .promote_symbolic = !symbolic};
    if (set & STRATEGY_BIT(PAD)) {
        const struct kernel *before = kernel_placed(store, set & ~STRATEGY_BIT(PAD), symbolic);
        before = kernel_remapped(store, set, before);
        placement.n_padded = strategy_pad_choose(ctx, before, &placement.padded);
    }
    kernel = set & STRATEGY_BIT(STRIDE) ? strategy_stride(ctx, kernel) : strategy_place(ctx, kernel, placement);
    vec_push(ctx->arena, &store->stages, ((struct stage){set, symbolic, kernel}));
    return kernel;
}

/* The largest factor of an axis counts, so that a set is a set; along two axes the factors multiply. */
static const struct kernel *kernel_coarsen(struct store *store, uint64_t set, const struct kernel *kernel)
{
    int y = set & STRATEGY_BIT(COARSEN_Y4) ? 4 : set & STRATEGY_BIT(COARSEN_Y2) ? 2 : 1;
    int x = set & STRATEGY_BIT(COARSEN_X4) ? 4 : set & STRATEGY_BIT(COARSEN_X2) ? 2 : 1;
    if ((set & STRATEGY_BIT(STRIDE)) || !store_independent(store))
        return kernel;
    if (y > 1)
        kernel = strategy_coarsen(store->ctx, kernel, 0, y);
    return x > 1 && kernel->n_block > 1 ? strategy_coarsen(store->ctx, kernel, kernel->n_block - 1, x) : kernel;
}

static const struct kernel *strategies_apply(struct store *store, uint64_t set, bool symbolic)
{
    struct ctx *ctx = store->ctx;
    const struct kernel *kernel = kernel_placed(store, set, symbolic);
    kernel = kernel_remapped(store, set, kernel);
    kernel = kernel_coarsen(store, set, kernel);
    if (set & STRATEGY_BIT(SCALAR_REPLACE))
        kernel = strategy_scalar_replace(ctx, kernel);
    if (set & STRATEGY_BIT(VECTOR))
        kernel = strategy_vector(ctx, kernel);
    if (set & STRATEGY_BIT(VECTOR_LOOP))
        kernel = strategy_vector_loop(ctx, kernel);
    if (set & (STRATEGY_BIT(UNROLL4) | STRATEGY_BIT(UNROLL8)))
        kernel = strategy_unroll(ctx, kernel, set & STRATEGY_BIT(UNROLL8) ? 8 : 4);
    if (set & STRATEGY_BIT(CSE1))
        kernel = strategy_cse(ctx, kernel, 1);
    if (set & STRATEGY_BIT(CSE2))
        kernel = strategy_cse(ctx, kernel, 2);
    return pressure_level(set) ? strategy_pressure(ctx, kernel, pressure_level(set)) : kernel;
}

/* The build that prints the same text, so that its values need not be found again; NULL if there is none. */
static struct build *build_twin(struct store *store, const char *text)
{
    for (size_t i = 0; i < store->builds.count; i++)
        if (strcmp(store->builds.at[i]->text, text) == 0)
            return store->builds.at[i];
    return NULL;
}

static bool has_symbolic_array(const struct kernel *kernel)
{
    int64_t value;
    for (int i = 0; i < kernel->n_arrays; i++)
        for (int d = 0; kernel->arrays[i]->space == SPACE_PRIVATE && d < kernel->arrays[i]->n_dims; d++)
            if (!expr_get_integer(kernel->arrays[i]->dims[d], &value))
                return true;
    return false;
}

static struct build *build_make(struct store *store, uint64_t set, bool symbolic)
{
    struct build *build = ARENA_NEW(store->ctx->arena, struct build);
    build->set = set;
    build->symbolic = symbolic;
    enum cost outer = cost_switch(store, COST_KERNELS);
    build->kernel = strategies_apply(store, set, symbolic);
    cost_switch(store, outer);
    if (!build->kernel || !kernel_verify(store->ctx, build->kernel))
        return NULL;
    struct str text = str_new(store->ctx->arena);
    kernel_print(&text, build->kernel);
    str_addf(&text, "\npressure %d\n", build->kernel->pressure);
    build->text = text.text;
    struct build *twin = build_twin(store, build->text);
    if (twin)
        build->kernel = twin->kernel;
    vec_push(store->ctx->arena, &store->builds, build);
    store->ctx->counts.kernels++;
    return build;
}

struct build *kernel_build(struct store *store, uint64_t set, bool symbolic)
{
    set = set_canonical(set);
    struct build *bound = symbolic ? kernel_build(store, set, false) : NULL;
    if (symbolic && (!bound || !has_symbolic_array(bound->kernel)))
        return bound;
    for (size_t i = 0; i < store->builds.count; i++)
        if (store->builds.at[i]->set == set && store->builds.at[i]->symbolic == symbolic)
            return store->builds.at[i];
    return build_make(store, set, symbolic);
}

struct build *kernel_build_of(struct store *store, const struct kernel *kernel)
{
    for (size_t i = 0; i < store->builds.count; i++)
        if (store->builds.at[i]->kernel == kernel)
            return store->builds.at[i];
    return NULL;
}

/* The numbers given for a counter (golden runs); NULL if it is to be evaluated. */
static const struct injection *injection_of(const struct store *store, int symbol)
{
    for (size_t i = 0; i < store->options->n_injections; i++)
        if (strcmp(store->options->injections[i].counter, counter_table(symbol)->name) == 0)
            return &store->options->injections[i];
    return NULL;
}

const struct counter_value *store_value(struct store *store, uint64_t set, int symbol)
{
    struct build *own = kernel_build(store, set, false);
    if (!own)
        return NULL;
    const struct injection *injection = injection_of(store, symbol);
    struct build *build = injection ? own : kernel_build_of(store, own->kernel);
    if (build->values[symbol])
        return build->values[symbol];
    struct counter_value *value = ARENA_NEW(store->ctx->arena, struct counter_value);
    if (injection) {
        bool reduced = (set & (STRATEGY_BIT(GRANULARITY) | STRATEGY_BIT(STRIDE))) != 0;
        *value = value_constant(store, reduced ? injection->reduced : injection->unreduced, COUNTER_INJECTED);
    } else {
        enum cost outer = cost_switch(store, COST_COUNTERS);
        *value = counter_table(symbol)->evaluate(store, build->kernel);
        cost_switch(store, outer);
    }
    if (value->count == 0 && counter_table(symbol)->kind == COUNTER_RESOURCE)
        return NULL;
    return build->values[symbol] = value;
}
