/* NAME.ptx. In: the variants. Out: one PTX module for a target: every variant in its symbolic form
   under its entry name, and, where a parameter sizes private arrays, once for each value of
   ptx_bindings under ENTRY__name_value. Bound parameters stay in the argument lists. The register
   budget is given at load, so none is written here. */
#include "emit/emit.h"
#include "emit/device.h"
#include "emit/names.h"
#include "ir/llvm/llvm.h"

struct jobs {
    struct arena *arena;
    VEC(const struct kernel *) kernels;
    VEC(const char *) names;
    VEC(struct ptx_options) options;
};

static void add_job(struct jobs *jobs, const struct kernel *kernel, const char *name,
                    struct ptx_options options)
{
    vec_push(jobs->arena, &jobs->kernels, kernel);
    vec_push(jobs->arena, &jobs->names, name);
    vec_push(jobs->arena, &jobs->options, options);
}

static void add_bound(struct jobs *jobs, const struct tree *tree, const struct variant *variant,
                      int target, int value)
{
    const struct kernel *k = variant->kernel;
    struct binding *bindings = ARENA_ARRAY(jobs->arena, struct binding, k->n_params);
    size_t n = 0;
    for (int i = 0; i < k->n_params; i++)
        if (device_must_bind(k, k->params[i]))
            bindings[n++] = (struct binding){k->params[i]->var->name, value};
    if (n == 0)
        return;
    const char *binding = variant_binding(jobs->arena, variant, value);
    struct ptx_options options = {.target = target, .n_bindings = n, .bindings = bindings};
    add_job(jobs, k, variant_bound_entry(jobs->arena, tree, variant, binding), options);
}

bool emit_ptx(struct ctx *ctx, struct str *out, const struct program *program,
              const struct tree *const *trees, int target)
{
    struct jobs jobs = {.arena = ctx->arena};
    for (size_t r = 0; r < program->n_regions; r++)
        for (size_t v = 0; v < trees[r]->n_variants; v++) {
            const struct variant *variant = &trees[r]->variants[v];
            const struct kernel *symbolic = variant->symbolic ? variant->symbolic : variant->kernel;
            for (int i = 0; i < PTX_BINDINGS; i++)
                add_bound(&jobs, trees[r], variant, target, ptx_bindings[i]);
            add_job(&jobs, symbolic, variant_entry(ctx->arena, trees[r], variant),
                    (struct ptx_options){.target = target});
        }
    const char *text = llvm_ptx_module(ctx, jobs.kernels.at, jobs.names.at, jobs.options.at,
                                       jobs.kernels.count);
    if (!text)
        return false;
    str_add(out, text);
    return true;
}
