/* NAME.ptx. In: the variants. Out: one PTX module for a target: the kernel of every launch in its
   symbolic form under its entry name, and, where a parameter sizes private arrays, once for each
   value of ptx_bindings under ENTRY__name_value. Bound parameters stay in the argument lists. The
   register budget is given at load, so none is written here. */
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

static void add_bound(struct jobs *jobs, const struct kernel *k, const char *entry,
                      struct ptx_options options, int value)
{
    struct binding *bindings = ARENA_ARRAY(jobs->arena, struct binding, k->n_params);
    size_t n = 0;
    for (int i = 0; i < k->n_params; i++)
        if (device_must_bind(k, k->params[i]))
            bindings[n++] = (struct binding){k->params[i]->var->name, value};
    if (n == 0)
        return;
    const char *binding = kernel_binding(jobs->arena, k, value);
    options.n_bindings = n;
    options.bindings = bindings;
    add_job(jobs, k, entry_bound(jobs->arena, entry, binding), options);
}

static void add_launch(struct jobs *jobs, const struct launch *launch, const char *entry,
                       struct ptx_options options)
{
    for (int i = 0; i < PTX_BINDINGS; i++)
        add_bound(jobs, launch->kernel, entry, options, ptx_bindings[i]);
    add_job(jobs, launch->symbolic, entry, options);
}

bool emit_ptx(struct ctx *ctx, struct str *out, const struct program *program,
              const struct tree *const *trees, int target)
{
    struct jobs jobs = {.arena = ctx->arena};
    for (size_t r = 0; r < program->n_regions; r++)
        for (size_t v = 0; v < trees[r]->n_variants; v++) {
            const struct variant *variant = &trees[r]->variants[v];
            for (size_t i = 0; i < variant->n_launches; i++) {
                const struct launch *launch = &variant->launches[i];
                add_launch(&jobs, launch, launch_entry(ctx->arena, trees[r], variant, launch),
                           (struct ptx_options){.target = target, .contract = ctx->contract});
            }
        }
    const char *text = llvm_ptx_module(ctx, jobs.kernels.at, jobs.names.at, jobs.options.at,
                                       jobs.kernels.count);
    if (!text)
        return false;
    str_add(out, text);
    return true;
}
