/* NAME.ptx. In: the variants. Out: one PTX module for a target: the kernel of every launch in its
   symbolic form under its entry name, and, where a parameter sizes private arrays, once for each
   value of ptx_bindings under ENTRY__name_value. Bound parameters stay in the argument lists. The
   register budget is given at load, so none is written here, not that of a level of pressure
   either, and in host code variants whose kernels have equal texts share the first one's.
   Launches with asynchronous copies run from sm_80 on: a module for an earlier target lacks them,
   and host code has them in a module of their own. */
#include "emit/emit.h"
#include "emit/device.h"
#include "emit/names.h"
#include "base/map.h"
#include "ir/async.h"
#include "ir/llvm/llvm.h"
#include <string.h>

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

/* Are the PTX texts of the two kernels, which print alike, the same for these options? */
static bool texts_alike(struct ctx *ctx, const struct kernel *a, const struct kernel *b,
                        const struct ptx_options *options)
{
    const char *x = llvm_ptx(ctx, a, options), *y = llvm_ptx(ctx, b, options);
    return x && y && !strcmp(x, y);
}

static bool ptx_alike(struct ctx *ctx, const struct launch *a, const struct launch *b, int target)
{
    struct jobs jobs[2] = {{.arena = ctx->arena}, {.arena = ctx->arena}};
    struct ptx_options options = {
        .target = target, .contract = ctx->contract, .is_launched = true};
    add_launch(&jobs[0], a, "", options);
    add_launch(&jobs[1], b, "", options);
    bool alike = jobs[0].kernels.count == jobs[1].kernels.count;
    for (size_t i = 0; i < jobs[0].kernels.count && alike; i++)
        alike = texts_alike(ctx, jobs[0].kernels.at[i], jobs[1].kernels.at[i],
                            &jobs[0].options.at[i]);
    return alike;
}

/* Hashes of the trees' kernels whatever their pressure, which each kernel has of its own once. */
static uint64_t code_hash(struct ctx *ctx, const struct kernel *kernel)
{
    if (!ctx->caches)
        ctx->caches = map_new(ctx->arena);
    struct map *hashes = map_get(ctx->caches, "emit/ptx code");
    if (!hashes) {
        hashes = map_new(ctx->arena);
        map_put(ctx->caches, "emit/ptx code", hashes);
    }
    uint64_t *hash = map_get_pointer(hashes, kernel);
    if (!hash) {
        struct kernel plain = *kernel;
        plain.pressure = 0;
        hash = ARENA_NEW(ctx->arena, uint64_t);
        *hash = kernel_hash(&plain);
        map_put_pointer(hashes, kernel, hash);
    }
    return *hash;
}

static bool launches_alike(struct ctx *ctx, const struct launch *a, const struct launch *b,
                           int target)
{
    return a->kernel->pressure != b->kernel->pressure &&
           code_hash(ctx, a->kernel) == code_hash(ctx, b->kernel) &&
           code_hash(ctx, a->symbolic) == code_hash(ctx, b->symbolic) &&
           (!target || ptx_alike(ctx, a, b, target));
}

const struct variant *launch_owner(struct ctx *ctx, const struct tree *tree,
                                   const struct variant *variant, size_t launch, int target)
{
    for (const struct variant *v = tree->variants; v < variant; v++)
        if (v->n_launches == variant->n_launches &&
            launches_alike(ctx, &v->launches[launch], &variant->launches[launch], target))
            return v;
    return variant;
}

const struct variant *joined_owner(struct ctx *ctx, const struct tree *tree,
                                   const struct variant *variant, size_t launch, int target)
{
    const struct variant *owner = launch_owner(ctx, tree, variant, launch, target);
    bool is_one = owner == launch_owner(ctx, tree, variant, launch + 1, target);
    return is_one && owner->launches[launch].joined ? owner : variant;
}

/* Which launches a module has: every launch that its target can run, or a single launch of each
   text. */
struct module_choice {
    int target;
    bool once;      /* of launches that share a text the owner's */
    bool is_later;  /* only those that need a later target than programs embed by default */
};

static bool launch_waits(const struct ctx *ctx, const struct launch *launch)
{
    return kernel_has_async(ctx->arena, launch->kernel);
}

int launch_target(const struct ctx *ctx, const struct launch *launch, int target)
{
    return target < ASYNC_TARGET && launch_waits(ctx, launch) ? ASYNC_TARGET : target;
}

static bool module_runs(struct ctx *ctx, const struct module_choice *choice,
                        const struct launch *launch)
{
    return choice->is_later ? launch_waits(ctx, launch)
                            : launch_target(ctx, launch, choice->target) == choice->target;
}

static bool module_takes(struct ctx *ctx, const struct module_choice *choice,
                         const struct tree *tree, const struct variant *variant, size_t i)
{
    return module_runs(ctx, choice, &variant->launches[i]) &&
           (!choice->once || launch_owner(ctx, tree, variant, i, choice->target) == variant);
}

/* The same of a joined launch. */
static bool module_takes_joined(struct ctx *ctx, const struct module_choice *choice,
                                const struct tree *tree, const struct variant *variant, size_t i)
{
    const struct launch joined = launch_joined(&variant->launches[i]);
    return joined.kernel && module_runs(ctx, choice, &joined) &&
           (!choice->once || joined_owner(ctx, tree, variant, i, choice->target) == variant);
}

static void variant_jobs(struct ctx *ctx, struct jobs *jobs, const struct module_choice *choice,
                         const struct tree *tree, const struct variant *variant,
                         struct ptx_options options)
{
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct launch *launch = &variant->launches[i], joined = launch_joined(launch);
        if (module_takes(ctx, choice, tree, variant, i))
            add_launch(jobs, launch, launch_entry(ctx->arena, tree, variant, launch), options);
        if (module_takes_joined(ctx, choice, tree, variant, i))
            add_launch(jobs, &joined, launch_entry(ctx->arena, tree, variant, &joined), options);
    }
}

static bool module_print(struct ctx *ctx, struct str *out, const struct program *program,
                         const struct tree *const *trees, const struct module_choice *choice)
{
    struct jobs jobs = {.arena = ctx->arena};
    struct ptx_options options = {
        .target = choice->target, .contract = ctx->contract, .is_launched = true};
    for (size_t r = 0; r < program->n_regions; r++)
        for (size_t v = 0; v < trees[r]->n_variants; v++)
            variant_jobs(ctx, &jobs, choice, trees[r], &trees[r]->variants[v], options);
    if (choice->is_later && jobs.kernels.count == 0)
        return true;
    const char *text = llvm_ptx_module(ctx, jobs.kernels.at, jobs.names.at, jobs.options.at,
                                       jobs.kernels.count);
    if (!text)
        return false;
    str_add(out, text);
    return true;
}

bool emit_ptx(struct ctx *ctx, struct str *out, const struct program *program,
              const struct tree *const *trees, int target)
{
    struct module_choice choice = {.target = target};
    return module_print(ctx, out, program, trees, &choice);
}

/* Each text has the head of its own module: readers look for entries by their names. */
static bool launch_lines(struct ctx *ctx, struct str *out, struct line_origins *lines,
                         const char *entry, const struct launch *launch,
                         const struct ptx_options *options)
{
    struct line_origins origins = {0};
    const char *text = llvm_ptx_lines(ctx, launch->symbolic, entry, options, &origins);
    if (!text)
        return false;
    str_add(out, text);
    for (size_t i = 0; i < origins.count; i++)
        vec_push(ctx->arena, lines, origins.at[i]);
    return true;
}

bool emit_ptx_lines(struct ctx *ctx, struct str *out, struct line_origins *lines,
                    const struct program *program, const struct tree *const *trees, int target)
{
    bool made = true;
    for (size_t r = 0; r < program->n_regions && made; r++)
        for (size_t v = 0; v < trees[r]->n_variants && made; v++) {
            const struct variant *variant = &trees[r]->variants[v];
            for (size_t i = 0; i < variant->n_launches && made; i++) {
                const struct launch *launch = &variant->launches[i];
                struct ptx_options options = {.target = launch_target(ctx, launch, target),
                                              .contract = ctx->contract,
                                              .is_launched = true,
                                              .told = source_own(program->source)};
                made = launch_lines(ctx, out, lines,
                                    launch_entry(ctx->arena, trees[r], variant, launch), launch,
                                    &options);
            }
        }
    return made;
}

bool emit_ptx_once(struct ctx *ctx, struct str *out, const struct program *program,
                   const struct tree *const *trees, int target)
{
    struct module_choice choice = {.target = target, .once = true};
    return module_print(ctx, out, program, trees, &choice);
}

bool emit_ptx_later(struct ctx *ctx, struct str *out, const struct program *program,
                    const struct tree *const *trees, int target)
{
    struct module_choice choice = {.target = ASYNC_TARGET, .once = true, .is_later = true};
    return target >= ASYNC_TARGET || module_print(ctx, out, program, trees, &choice);
}
