/* Registers per thread: the bound over PTX within which the assembler spills nothing.

   In: a kernel. Out: a number, or a polynomial that is linear in each tunable that sizes a
   private array (Figure 4's private_c[s] lies in registers once s is bound, so registers grow
   with s), and its residual: what it exceeds a sample by at most. Method: PTX with each such
   tunable bound to 1, 4 and 16 in turn (the others to 1; 2 and 8 move no bound of a sample
   program), the bound of each for the GPU asked for or the most over all, and per tunable the
   line with integer coefficients above these that exceeds them least. With several tunables the
   slopes add up, and the product of the tunables takes what a corner needs more. The polynomial
   has no floor and is not rounded; budgets are made of it elsewhere. A kernel of strided bands
   is the one of last resort: the assembler spills what exceeds its budget, so it needs only the
   least budget there is. Source: design, "Registers"; notes on NVPTX ("affine to within 1.5
   registers"). */
#include "base/progress.h"
#include "optimizer/store.h"
#include "ir/llvm/llvm.h"
#include <string.h>

enum { TUNABLES_MAX = 4, SAMPLES = 3, BUDGET_LEAST = 24, CSE_LEVELS = 2 };

static const int64_t AT[SAMPLES] = {1, 4, 16};

struct register_sample {
    int64_t at[TUNABLES_MAX], value;
};

struct register_sampling {
    struct store *store;
    const struct kernel *kernel;
    int count;
    int variables[TUNABLES_MAX];           /* ring variables */
    struct binding bindings[TUNABLES_MAX];
    VEC(struct register_sample) samples;
    int64_t base, slope[TUNABLES_MAX], corner;   /* the bound: base + sum of slope (v - 1) + corner
                                                    * product of (v - 1) */
    bool failed;
};

/* The variables of an extent; more than TUNABLES_MAX are left out. */
static void tunables_add(struct register_sampling *sampling, const struct poly *extent)
{
    for (int v = 0; v < ring_count(sampling->store->space->ring); v++) {
        bool known = !poly_uses(extent, v) || sampling->count == TUNABLES_MAX;
        for (int k = 0; k < sampling->count; k++)
            known |= sampling->variables[k] == v;
        if (!known)
            sampling->variables[sampling->count++] = v;
    }
}

static void collect_tunables(struct register_sampling *sampling)
{
    struct ring *ring = sampling->store->space->ring;
    for (int i = 0; i < sampling->kernel->n_arrays; i++) {
        const struct array *array = sampling->kernel->arrays[i];
        if (array->space != SPACE_PRIVATE)
            continue;
        for (int d = 0; d < array->n_dims; d++) {
            const struct poly *extent = expr_poly(ring, array->dims[d]);
            if (extent)
                tunables_add(sampling, extent);
        }
    }
    for (int k = 0; k < sampling->count; k++)
        sampling->bindings[k] = (struct binding){ring_name(ring, sampling->variables[k]), 1};
}

/* The bound at the present bindings. */
static int64_t sample_take(struct register_sampling *sampling)
{
    struct store *store = sampling->store;
    struct ptx_options options = {.target = store->space->options->target,
                                  .n_bindings = (size_t)sampling->count,
                                  .bindings = sampling->bindings,
                                  .contract = store->ctx->contract,
                                  .estimate = true};
    if (sampling->failed)
        return 0;
    store->ctx->counts.samples++;
    progress_tick(store->ctx);
    enum cost outer = cost_switch(store, COST_LLVM);
    struct register_sample made = {.value = llvm_registers(store->ctx, sampling->kernel, &options)};
    cost_switch(store, outer);
    for (int k = 0; k < sampling->count; k++)
        made.at[k] = sampling->bindings[k].value;
    vec_push(store->ctx->arena, &sampling->samples, made);
    sampling->failed = made.value < 0;
    return made.value;
}

/* The most by which the bound exceeds a sample. */
static int64_t residual(const struct register_sampling *sampling, const struct poly *bound)
{
    int64_t point[RING_CAPACITY] = {0}, value, most = 0;
    for (size_t i = 0; i < sampling->samples.count; i++) {
        for (int k = 0; k < sampling->count; k++)
            point[sampling->variables[k]] = sampling->samples.at[i].at[k];
        if (poly_evaluate(bound, point, &value) && value - sampling->samples.at[i].value > most)
            most = value - sampling->samples.at[i].value;
    }
    return most;
}

/* The line above the samples of one tunable that exceeds them least in sum; of equal ones
   the steepest. */
struct line {
    int64_t slope, at_one;
};

static struct line line_fit(const int64_t *at, const int64_t *value)
{
    struct line best = {0, 0};
    int64_t least = INT64_MAX, steepest = 0;
    for (int i = 1; i < SAMPLES; i++)
        if (value[i] - value[i - 1] > steepest * (at[i] - at[i - 1]))
            steepest = (value[i] - value[i - 1] + at[i] - at[i - 1] - 1) / (at[i] - at[i - 1]);
    for (int64_t slope = steepest; slope >= 0; slope--) {
        int64_t at_one = 0, excess = 0;
        for (int i = 0; i < SAMPLES; i++)
            if (value[i] - slope * (at[i] - 1) > at_one)
                at_one = value[i] - slope * (at[i] - 1);
        for (int i = 0; i < SAMPLES; i++)
            excess += at_one + slope * (at[i] - 1) - value[i];
        if (excess < least) {
            least = excess;
            best = (struct line){slope, at_one};
        }
    }
    return best;
}

static struct line line_sample(struct register_sampling *sampling, int k, int64_t first)
{
    int64_t value[SAMPLES] = {first};
    for (int i = 1; i < SAMPLES; i++) {
        sampling->bindings[k].value = AT[i];
        value[i] = sample_take(sampling);
    }
    sampling->bindings[k].value = 1;
    return line_fit(AT, value);
}

/* Coefficient of the product of all (tunable - 1): what the corner (4, 4, …) needs
   above `linear`. */
static int64_t corner(struct register_sampling *sampling, int64_t linear)
{
    int64_t volume = 1;
    if (sampling->count < 2)
        return 0;
    for (int k = 0; k < sampling->count; k++) {
        sampling->bindings[k].value = 4;
        volume *= 3;
    }
    int64_t rise = sample_take(sampling) - linear;
    for (int k = 0; k < sampling->count; k++)
        sampling->bindings[k].value = 1;
    return rise <= 0 ? 0 : (rise + volume - 1) / volume;
}

static const struct poly *fit(struct register_sampling *sampling)
{
    struct ring *ring = sampling->store->space->ring;
    int64_t first = sample_take(sampling), base = first, slopes = 0;
    const struct poly *one = poly_integer(ring, 1), *product = one, *bound = poly_integer(ring, 0);
    for (int k = 0; k < sampling->count && !sampling->failed; k++) {
        struct line line = line_sample(sampling, k, first);
        const struct poly *less = poly_sub(poly_variable(ring, sampling->variables[k]), one);
        bound = poly_add(bound, poly_scale(less, line.slope, 1));
        product = poly_mul(product, less);
        sampling->slope[k] = line.slope;
        slopes += line.slope;
        base = line.at_one > base ? line.at_one : base;
    }
    sampling->base = base;
    sampling->corner = corner(sampling, base + 3 * slopes);
    bound = poly_add(bound, poly_integer(ring, base));
    return poly_add(bound, poly_scale(product, sampling->corner, 1));
}

/* Is the first bound nowhere above the second, by its coefficients? */
static bool is_below(const struct register_sampling *a, const struct register_sampling *b)
{
    bool below = a->base <= b->base && a->corner <= b->corner;
    for (int k = 0; k < a->count; k++)
        below &= a->slope[k] <= b->slope[k];
    return below;
}

/* A pressure level never needs more than the one before at any sample, but the lines above their
   samples may cross: then the line of the lower level, which is above the samples of both,
   serves both. */
static const struct poly *fit_monotone(struct register_sampling *sampling)
{
    const struct poly *bound = fit(sampling);
    if (sampling->kernel->pressure == 0 || sampling->count == 0 || sampling->failed)
        return bound;
    struct arena *arena = sampling->store->ctx->arena;
    struct register_sampling lower = *sampling;
    struct kernel *kernel = kernel_copy(arena, sampling->kernel);
    kernel->pressure--;
    lower.kernel = kernel;
    lower.samples.count = lower.samples.capacity = 0;
    lower.samples.at = NULL;
    const struct poly *before = fit_monotone(&lower);
    if (lower.failed || is_below(sampling, &lower))
        return bound;
    sampling->base = lower.base;
    sampling->corner = lower.corner;
    memcpy(sampling->slope, lower.slope, sizeof lower.slope);
    return before;
}

static struct estimate_form estimate_form(const struct store *store)
{
    return (struct estimate_form){store->space->options->target, store->ctx->contract};
}

/* The bound that a file has recorded; NULL if there is none. */
static const struct poly *estimate_replay(struct store *store, const struct kernel *kernel,
                                          struct estimate *estimate)
{
    const struct tree_options *options = store->space->options;
    const char *error = NULL;
    const struct estimate *known =
        options->replayed ? estimates_find(options->replayed, kernel, estimate_form(store)) : NULL;
    if (!known)
        return NULL;
    *estimate = *known;
    return poly_read(store->space->ring, known->bound, &error);
}

/* The bound by compilation, recorded where that is asked for. NULL after a diagnostic. */
static const struct poly *estimate_make(struct store *store, const struct kernel *kernel,
                                        struct estimate *estimate)
{
    const struct tree_options *options = store->space->options;
    struct register_sampling sampling = {.store = store, .kernel = kernel};
    collect_tunables(&sampling);
    const struct poly *bound = fit_monotone(&sampling);
    if (sampling.failed) {
        diag_error(store->ctx, store->space->region->loc,
                   "the registers of `%s` could not be estimated", kernel->name);
        return NULL;
    }
    *estimate = (struct estimate){poly_text(store->ctx->arena, bound), sampling.samples.count,
                                  residual(&sampling, bound)};
    if (options->recorded)
        estimates_add(options->recorded, kernel, estimate_form(store), *estimate);
    return bound;
}

/* The entry of the kernel as it would leave the tree: every leaf but that of strided bands is swept
   of its common subexpressions, so that registers are counted of what is shipped, and the kernels
   before and after that sweep share their samples. */
static struct kernel_entry *swept_entry(struct store *store, const struct kernel *kernel)
{
    struct kernel_entry *entry = store_entry(store, kernel);
    if (kernel_all_strided(kernel))
        return entry;
    if (!entry->swept) {
        for (int level = 1; level <= CSE_LEVELS; level++)
            kernel = strategy_cse(store->ctx, kernel, level);
        entry->swept = store_entry(store, kernel);
        entry->swept->swept = entry->swept;
    }
    return entry->swept;
}

const struct poly *registers_estimate(struct store *store, const struct kernel *kernel)
{
    struct kernel_entry *entry = swept_entry(store, kernel);
    if (entry->registers)
        return entry->registers;
    struct estimate estimate;
    const struct poly *bound = estimate_replay(store, entry->kernel, &estimate);
    if (!bound)
        bound = estimate_make(store, entry->kernel, &estimate);
    if (bound) {
        entry->registers = bound;
        entry->samples = estimate.samples;
        entry->residual = estimate.residual;
    }
    return bound;
}

struct counter_value counter_registers(struct store *store, const struct kernel *kernel)
{
    if (kernel_all_strided(kernel))
        return value_constant(store, BUDGET_LEAST, COUNTER_UPPER);
    const struct poly *bound = registers_estimate(store, kernel);
    if (!bound)
        return (struct counter_value){.count = 0};
    const struct kernel_entry *entry = swept_entry(store, kernel);
    struct counter_value value = value_poly(store, bound, COUNTER_ESTIMATE);
    value.n_samples = entry->samples;
    value.residual = entry->residual;
    return value;
}
