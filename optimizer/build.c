/* Kernels by set of strategies.

   In:  the region's banded kernel and a set. Out: the kernel with the strategies of the set applied in phase order:
   stride (alone, with granularity reduced); what rewrites the banded kernel, on which access relations can be asked
   (granularity, remapping); placement (staging unless dropped, with padding, promotion, barriers); then what rewrites the
   placed kernel (coarsening, scalar replacement, vector accesses, unrolling, common subexpressions, register pressure).
   Invariant: a kernel is a function of the set, whatever the order of decisions was; each is made, verified and measured
   once. Values of counters hang on the kernel and are shared by sets that give the same text. Source: design, "Search". */
#include "optimizer/optimizer.h"
#include "optimizer/strategies/strategies.h"
#include <string.h>

static const uint64_t SINGLE_DROPS = STRATEGY_BIT(DROP1) | STRATEGY_BIT(DROP2) | STRATEGY_BIT(DROP3);

static uint64_t set_canonical(uint64_t set)
{
    if (set & STRATEGY_BIT(DROP))
        set &= ~SINGLE_DROPS;
    return set & STRATEGY_BIT(STRIDE) ? STRATEGY_BIT(STRIDE) : set;
}

const struct array *drop_array(struct optimizer *optimizer, int n)
{
    const struct kernel *kernel = optimizer->region->kernel;
    if (!optimizer->drops_known) {
        struct sas facts = sas_join(optimizer->ctx->arena, kernel->facts, optimizer->region->conditions);
        optimizer->n_staged = strategy_drop_order(optimizer->ctx, kernel, facts, optimizer->drop_order, DROPS);
        optimizer->drops_known = true;
    }
    return n < optimizer->n_staged ? kernel->arrays[optimizer->drop_order[n]] : NULL;
}

/* The arrays that the set stages. */
static uint64_t set_stages(struct optimizer *optimizer, uint64_t set)
{
    uint64_t stages = set & STRATEGY_BIT(DROP) ? 0 : UINT64_MAX;
    for (int n = 0; n < DROPS && (set & SINGLE_DROPS); n++)
        if ((set >> (STRATEGY_DROP1 + n) & 1) && drop_array(optimizer, n))
            stages &= ~((uint64_t)1 << optimizer->drop_order[n]);
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

bool optimizer_independent(const struct optimizer *optimizer)
{
    enum access_verdict verdict = optimizer->region->legality.verdict;
    return verdict == ACCESS_PROVED || verdict == ACCESS_PROVED_UNDER;
}

/* The axes in the other order, where that is asked for and proved legal. */
static const struct kernel *kernel_remapped(struct optimizer *optimizer, uint64_t set, const struct kernel *kernel)
{
    return set & STRATEGY_BIT(REMAP) && optimizer_independent(optimizer) ? strategy_remap(optimizer->ctx, kernel) : kernel;
}

/* A kernel after the phases up to placement, which look at the access relations: most sets share it. */
static const struct kernel *kernel_placed(struct optimizer *optimizer, uint64_t set, bool symbolic)
{
    uint64_t decides = set & STRATEGY_BIT(PAD) ? STRATEGY_BIT(REMAP) : 0;   /* which way threads go through a tile */
    set &= STRATEGY_BIT(STRIDE) | STRATEGY_BIT(GRANULARITY) | STRATEGY_BIT(DROP) | SINGLE_DROPS | STRATEGY_BIT(PAD) | decides;
    for (size_t i = 0; i < optimizer->stages.count; i++)
        if (optimizer->stages.at[i].set == set && optimizer->stages.at[i].symbolic == symbolic)
            return optimizer->stages.at[i].kernel;
    struct ctx *ctx = optimizer->ctx;
    const struct kernel *kernel = optimizer->region->kernel;
    if ((set & STRATEGY_BIT(GRANULARITY) || set & STRATEGY_BIT(STRIDE)) && optimizer->region->n_coarse > 0) {
        if (!optimizer->reduced)
            optimizer->reduced = strategy_granularity(ctx, kernel);
        kernel = optimizer->reduced;
    }
    struct placement_options placement = {.stage = set_stages(optimizer, set), .promote = true, .promote_symbolic = !symbolic};
    if (set & STRATEGY_BIT(PAD)) {
        const struct kernel *before = kernel_placed(optimizer, set & ~STRATEGY_BIT(PAD), symbolic);
        before = kernel_remapped(optimizer, set, before);
        placement.n_padded = strategy_pad_choose(ctx, before, &placement.padded);
    }
    kernel = set & STRATEGY_BIT(STRIDE) ? strategy_stride(ctx, kernel) : strategy_place(ctx, kernel, placement);
    vec_push(ctx->arena, &optimizer->stages, ((struct stage){set, symbolic, kernel}));
    return kernel;
}

/* The largest factor of an axis counts, so that a set is a set; along two axes the factors multiply. */
static const struct kernel *kernel_coarsen(struct optimizer *optimizer, uint64_t set, const struct kernel *kernel)
{
    int y = set & STRATEGY_BIT(COARSEN_Y4) ? 4 : set & STRATEGY_BIT(COARSEN_Y2) ? 2 : 1;
    int x = set & STRATEGY_BIT(COARSEN_X4) ? 4 : set & STRATEGY_BIT(COARSEN_X2) ? 2 : 1;
    if ((set & STRATEGY_BIT(STRIDE)) || !optimizer_independent(optimizer))
        return kernel;
    if (y > 1)
        kernel = strategy_coarsen(optimizer->ctx, kernel, 0, y);
    return x > 1 && kernel->n_block > 1 ? strategy_coarsen(optimizer->ctx, kernel, kernel->n_block - 1, x) : kernel;
}

static const struct kernel *strategies_apply(struct optimizer *optimizer, uint64_t set, bool symbolic)
{
    struct ctx *ctx = optimizer->ctx;
    const struct kernel *kernel = kernel_placed(optimizer, set, symbolic);
    kernel = kernel_remapped(optimizer, set, kernel);
    kernel = kernel_coarsen(optimizer, set, kernel);
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
static struct build *build_twin(struct optimizer *optimizer, const char *text)
{
    for (size_t i = 0; i < optimizer->builds.count; i++)
        if (strcmp(optimizer->builds.at[i]->text, text) == 0)
            return optimizer->builds.at[i];
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

static struct build *build_make(struct optimizer *optimizer, uint64_t set, bool symbolic)
{
    struct build *build = ARENA_NEW(optimizer->ctx->arena, struct build);
    build->set = set;
    build->symbolic = symbolic;
    enum cost outer = cost_switch(optimizer, COST_KERNELS);
    build->kernel = strategies_apply(optimizer, set, symbolic);
    cost_switch(optimizer, outer);
    if (!build->kernel || !kernel_verify(optimizer->ctx, build->kernel))
        return NULL;
    struct str text = str_new(optimizer->ctx->arena);
    kernel_print(&text, build->kernel);
    str_addf(&text, "\npressure %d\n", build->kernel->pressure);
    build->text = text.text;
    struct build *twin = build_twin(optimizer, build->text);
    if (twin)
        build->kernel = twin->kernel;
    vec_push(optimizer->ctx->arena, &optimizer->builds, build);
    return build;
}

struct build *kernel_build(struct optimizer *optimizer, uint64_t set, bool symbolic)
{
    set = set_canonical(set);
    struct build *bound = symbolic ? kernel_build(optimizer, set, false) : NULL;
    if (symbolic && (!bound || !has_symbolic_array(bound->kernel)))
        return bound;
    for (size_t i = 0; i < optimizer->builds.count; i++)
        if (optimizer->builds.at[i]->set == set && optimizer->builds.at[i]->symbolic == symbolic)
            return optimizer->builds.at[i];
    return build_make(optimizer, set, symbolic);
}

struct build *kernel_build_of(struct optimizer *optimizer, const struct kernel *kernel)
{
    for (size_t i = 0; i < optimizer->builds.count; i++)
        if (optimizer->builds.at[i]->kernel == kernel)
            return optimizer->builds.at[i];
    return NULL;
}

/* The numbers given for a counter (golden runs); NULL if it is to be evaluated. */
static const struct injection *injection_of(const struct optimizer *optimizer, int symbol)
{
    for (size_t i = 0; i < optimizer->options->n_injections; i++)
        if (strcmp(optimizer->options->injections[i].counter, counter_table(symbol)->name) == 0)
            return &optimizer->options->injections[i];
    return NULL;
}

const struct counter_value *optimizer_value(struct optimizer *optimizer, uint64_t set, int symbol)
{
    struct build *own = kernel_build(optimizer, set, false);
    if (!own)
        return NULL;
    const struct injection *injection = injection_of(optimizer, symbol);
    struct build *build = injection ? own : kernel_build_of(optimizer, own->kernel);
    if (build->values[symbol])
        return build->values[symbol];
    struct counter_value *value = ARENA_NEW(optimizer->ctx->arena, struct counter_value);
    if (injection) {
        bool reduced = (set & (STRATEGY_BIT(GRANULARITY) | STRATEGY_BIT(STRIDE))) != 0;
        *value = value_constant(optimizer, reduced ? injection->reduced : injection->unreduced, COUNTER_INJECTED);
    } else {
        enum cost outer = cost_switch(optimizer, COST_COUNTERS);
        *value = counter_table(symbol)->evaluate(optimizer, build->kernel);
        cost_switch(optimizer, outer);
    }
    if (value->count == 0 && counter_table(symbol)->kind == COUNTER_RESOURCE)
        return NULL;
    return build->values[symbol] = value;
}
