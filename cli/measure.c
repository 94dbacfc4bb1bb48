/* treefork tree --measure: what the assembler makes of every leaf, where a toolkit is installed.

   In: a tree. Out: a line per leaf, binding of what sizes its private arrays, and GPU: registers
   within the leaf's budget, bytes spilled and of the stack, beside the free choice. Leaves are
   measured as they are launched: level 3's cap and the budget made of the estimate. Nothing of the
   tree hangs on it. */
#include "cli/measure.h"
#include "emit/device.h"
#include "emit/names.h"
#include "ir/llvm/llvm.h"
#include "ir/ptx/ptx.h"

enum { REGISTERS_MOST = 255 };

static const int TARGETS[] = {75, 80, 90};

/* The leaf's estimate at the bound values; 0 if it has none. */
static int64_t estimate_at(const struct tree *tree, const struct variant *variant,
                           const struct ptx_options *options)
{
    int64_t point[RING_CAPACITY] = {0}, value = 0;
    for (size_t i = 0; i < options->n_bindings; i++)
        point[ring_find(tree->ring, options->bindings[i].name)] = options->bindings[i].value;
    return variant->registers && poly_evaluate(variant->registers, point, &value) ? value : 0;
}

/* False if there is no toolkit. */
static bool measure_line(struct ctx *ctx, struct str *out, const struct tree *tree,
                         const struct variant *variant, struct ptx_options options)
{
    struct ptx_measure freely = {0}, kept = {0};
    const char *message = "", *name = variant->kernel->name,
               *text = llvm_ptx(ctx, variant->kernel, &options);
    int done = text ? ptx_measure(ctx, text, name, options.target, &freely, &message) : -1;
    if (done == 1) {
        options.registers = ptx_budget((int)estimate_at(tree, variant, &options), REGISTERS_MOST);
        text = llvm_ptx(ctx, variant->kernel, &options);
        done = text ? ptx_measure(ctx, text, name, options.target, &kept, &message) : -1;
    }
    if (done == 0)
        return false;
    str_addf(out, "%s, leaf %d", tree->region->name, variant->id);
    for (size_t i = 0; i < options.n_bindings; i++)
        str_addf(out, ", %s = %lld", options.bindings[i].name,
                 (long long)options.bindings[i].value);
    if (done < 0)
        str_addf(out, ", sm_%d: not measured: %s\n", options.target, message);
    else
        str_addf(
            out,
            ", sm_%d: %d registers within %d, %d bytes spilled, stack %d; freely %d (measured)\n",
            options.target, kept.registers, options.registers, kept.spill_bytes, kept.stack_bytes,
            freely.registers);
    return true;
}

static bool measure_variant(struct ctx *ctx, struct str *out, const struct tree *tree,
                            const struct variant *variant)
{
    const struct kernel *k = variant->kernel;
    struct binding *bindings = ARENA_ARRAY(ctx->arena, struct binding, k->n_params + 1);
    size_t n = 0;
    for (int i = 0; i < k->n_params; i++)
        if (device_must_bind(k, k->params[i]))
            bindings[n++].name = k->params[i]->var->name;
    for (int b = 0; b < (n ? PTX_BINDINGS : 1); b++) {
        for (size_t i = 0; i < n; i++)
            bindings[i].value = ptx_bindings[b];
        for (size_t t = 0; t < sizeof TARGETS / sizeof *TARGETS; t++)
            if (!measure_line(ctx, out, tree, variant,
                              (struct ptx_options){.target = TARGETS[t],
                                                   .n_bindings = n,
                                                   .bindings = bindings}))
                return false;
    }
    return true;
}

void measure_print(struct ctx *ctx, struct str *out, const struct tree *tree)
{
    for (size_t v = 0; v < tree->n_variants; v++)
        if (!measure_variant(ctx, out, tree, &tree->variants[v])) {
            str_addf(out, "%s: measurements skipped: no ptxas or nvJitLink\n", tree->region->name);
            return;
        }
}
