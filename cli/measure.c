/* treefork tree --measure: what the assembler makes of every leaf, where a toolkit is installed.

   In: a tree. Out: a line per launch of a leaf, binding of what sizes its private arrays, and GPU:
   registers within the launch's budget, bytes spilled and of the stack, beside the free choice.
   Kernels are measured as they are launched: level 3's cap and the budget made of the estimate.
   Nothing of the tree hangs on it. */
#include "cli/measure.h"
#include "emit/device.h"
#include "emit/names.h"
#include "ir/llvm/llvm.h"
#include "ir/ptx/ptx.h"

enum { REGISTERS_MOST = 255 };

static const int TARGETS[] = {75, 80, 90};

/* One launch of a leaf. */
struct measured {
    const struct tree *tree;
    const struct variant *variant;
    const struct launch *launch;
};

/* The launch's estimate at the bound values; 0 if it has none. */
static int64_t estimate_at(const struct measured *m, const struct ptx_options *options)
{
    int64_t point[RING_CAPACITY] = {0}, value = 0;
    for (size_t i = 0; i < options->n_bindings; i++)
        point[ring_find(m->tree->ring, options->bindings[i].name)] = options->bindings[i].value;
    const struct poly *registers = m->launch->registers;
    return registers && poly_evaluate(registers, point, &value) ? value : 0;
}

/* False if there is no toolkit. */
static bool measure_line(struct ctx *ctx, struct str *out, const struct measured *m,
                         struct ptx_options options)
{
    struct ptx_measure freely = {0}, kept = {0};
    const struct kernel *kernel = m->launch->kernel;
    const char *message = "", *name = kernel->name, *text = llvm_ptx(ctx, kernel, &options);
    int done = text ? ptx_measure(ctx, text, name, options.target, &freely, &message) : -1;
    options.registers = ptx_budget((int)estimate_at(m, &options), REGISTERS_MOST);
    kept = freely;
    if (done == 1 && freely.registers > options.registers) {   /* as the runtime does it */
        text = llvm_ptx(ctx, kernel, &options);
        done = text ? ptx_measure(ctx, text, name, options.target, &kept, &message) : -1;
    }
    if (done == 0)
        return false;
    str_addf(out, "%s, leaf %d%s", m->tree->region->name, m->variant->id,
             launch_place(ctx->arena, m->variant, m->launch));
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

static bool measure_launch(struct ctx *ctx, struct str *out, const struct measured *m)
{
    const struct kernel *k = m->launch->kernel;
    struct binding *bindings = ARENA_ARRAY(ctx->arena, struct binding, k->n_params + 1);
    size_t n = 0;
    for (int i = 0; i < k->n_params; i++)
        if (device_must_bind(k, k->params[i]))
            bindings[n++].name = k->params[i]->var->name;
    for (int b = 0; b < (n ? PTX_BINDINGS : 1); b++) {
        for (size_t i = 0; i < n; i++)
            bindings[i].value = ptx_bindings[b];
        for (size_t t = 0; t < sizeof TARGETS / sizeof *TARGETS; t++)
            if (!measure_line(ctx, out, m,
                              (struct ptx_options){.target = TARGETS[t],
                                                   .contract = ctx->contract,
                                                   .n_bindings = n,
                                                   .bindings = bindings}))
                return false;
    }
    return true;
}

static bool measure_variant(struct ctx *ctx, struct str *out, const struct tree *tree,
                            const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_launches; i++) {
        struct measured m = {tree, variant, &variant->launches[i]};
        if (!measure_launch(ctx, out, &m))
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
