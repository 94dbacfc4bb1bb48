/* Registers per thread: the liveness estimate over PTX.

   In:  a kernel. Out: a number, or a polynomial that is linear in each tunable that sizes a private array (Figure 4's
   private_c[s] lies in registers once s is bound, so registers grow with s).
   Method: PTX with each such tunable bound to 1, 2, 4 and 8 in turn (the others to 1), liveness of each, and per tunable
   the least integer slope with which the line through the first sample stays above the others. With several tunables the
   slopes add up on the product of the extents, sampled at the corners as well. The estimate has no floor and is not
   rounded; budgets are made of it elsewhere.
   A kernel of strided bands is the one of last resort: the assembler spills what exceeds its budget, so it needs only the
   least budget there is. Source: design, "Registers"; notes on NVPTX ("affine to within 1.5 registers"). */
#include "optimizer/optimizer.h"
#include "ir/llvm/llvm.h"
#include "ir/ptx/ptx.h"

enum { TUNABLES_MAX = 4, BUDGET_LEAST = 24, TARGET = 80 };

struct sampling {
    struct optimizer *optimizer;
    const struct kernel *kernel;
    int count;
    int variables[TUNABLES_MAX];           /* ring variables */
    struct binding bindings[TUNABLES_MAX];
    bool failed;
};

static void collect_tunables(struct sampling *sampling)
{
    struct ring *ring = sampling->optimizer->ring;
    for (int i = 0; i < sampling->kernel->n_arrays; i++) {
        const struct array *array = sampling->kernel->arrays[i];
        for (int d = 0; array->space == SPACE_PRIVATE && d < array->n_dims; d++) {
            const struct poly *extent = expr_poly(ring, array->dims[d]);
            for (int v = 0; extent && v < ring_count(ring); v++) {
                bool known = !poly_uses(extent, v) || sampling->count == TUNABLES_MAX;
                for (int k = 0; k < sampling->count; k++)
                    known |= sampling->variables[k] == v;
                if (!known)
                    sampling->variables[sampling->count++] = v;
            }
        }
    }
    for (int k = 0; k < sampling->count; k++)
        sampling->bindings[k] = (struct binding){ring_name(ring, sampling->variables[k]), 1};
}

/* Liveness at the present bindings. One target stands for all: LLVM's text for sm_70 to sm_90 has the same registers. */
static int64_t sample(struct sampling *sampling)
{
    struct optimizer *optimizer = sampling->optimizer;
    int target = optimizer->options->target ? optimizer->options->target : TARGET;
    struct ptx_options options = {.target = target, .n_bindings = (size_t)sampling->count, .bindings = sampling->bindings,
                                  .estimate = true};
    if (sampling->failed)
        return 0;
    const char *ptx = llvm_ptx(optimizer->ctx, sampling->kernel, &options);
    int registers = ptx ? ptx_registers(optimizer->ctx, ptx, sampling->kernel->name) : -1;
    sampling->failed = registers < 0;
    return registers;
}

/* The least integer slope from (1, first) that stays above the samples of one tunable. */
static int64_t slope(struct sampling *sampling, int k, int64_t first)
{
    int64_t steepest = 0;
    for (int64_t at = 2; at <= 8; at *= 2) {
        sampling->bindings[k].value = at;
        int64_t rise = sample(sampling) - first;
        int64_t needed = rise <= 0 ? 0 : (rise + at - 2) / (at - 1);
        steepest = needed > steepest ? needed : steepest;
    }
    sampling->bindings[k].value = 1;
    return steepest;
}

/* Coefficient of the product of all (tunable - 1): what the corner (4, 4, …) needs above the sum of the slopes. */
static int64_t corner(struct sampling *sampling, int64_t linear, int64_t first)
{
    int64_t volume = 1;
    if (sampling->count < 2)
        return 0;
    for (int k = 0; k < sampling->count; k++) {
        sampling->bindings[k].value = 4;
        volume *= 3;
    }
    int64_t rise = sample(sampling) - first - 3 * linear;
    for (int k = 0; k < sampling->count; k++)
        sampling->bindings[k].value = 1;
    return rise <= 0 ? 0 : (rise + volume - 1) / volume;
}

static const struct poly *fit(struct sampling *sampling)
{
    struct ring *ring = sampling->optimizer->ring;
    int64_t first = sample(sampling), linear = 0;
    const struct poly *one = poly_integer(ring, 1), *product = one, *bound = poly_integer(ring, first);
    for (int k = 0; k < sampling->count && !sampling->failed; k++) {
        int64_t rise = slope(sampling, k, first);
        const struct poly *less = poly_sub(poly_variable(ring, sampling->variables[k]), one);
        bound = poly_add(bound, poly_scale(less, rise, 1));
        product = poly_mul(product, less);
        linear += rise;
    }
    return poly_add(bound, poly_scale(product, corner(sampling, linear, first), 1));
}

const struct poly *registers_estimate(struct optimizer *optimizer, const struct kernel *kernel)
{
    struct build *build = kernel_build_of(optimizer, kernel);
    if (build && build->registers)
        return build->registers;
    struct sampling sampling = {.optimizer = optimizer, .kernel = kernel};
    collect_tunables(&sampling);
    const struct poly *bound = fit(&sampling);
    if (sampling.failed) {
        diag_error(optimizer->ctx, optimizer->region->loc, "the registers of `%s` could not be estimated", kernel->name);
        return NULL;
    }
    if (build)
        build->registers = bound;
    return bound;
}

struct counter_value counter_registers(struct optimizer *optimizer, const struct kernel *kernel)
{
    if (kernel_all_strided(kernel))
        return value_constant(optimizer, BUDGET_LEAST, COUNTER_UPPER);
    const struct poly *bound = registers_estimate(optimizer, kernel);
    return bound ? value_poly(optimizer, bound, COUNTER_ESTIMATE) : (struct counter_value){.count = 0};
}
