/* In: a kernel in banded form. Out: its analysis, on which all questions about it work. What its
   parameters, its facts and the extents of a launch say is stated first; then its references are
   collected (collect.c).

   Invariant: what the context says holds wherever a block and a thread run, what `plain` says in
   every launch. An analysis has an arena of its own. Those that cost models ask for are kept with
   the compilation, the last few of them, since the same kernels are asked about in turn. */
#include "base/map.h"
#include "ir/access/analysis.h"
#include <string.h>

/* The facts of the parameters and of the kernel; a launch has at least one block and one thread. */
static void context_prepare(struct analysis *analysis)
{
    const struct kernel *kernel = analysis->kernel;
    for (int i = 0; i < kernel->n_params; i++) {
        const struct param *param = kernel->params[i];
        if (param->variable < 0)
            continue;
        int v = ring_variable(analysis->ring, param->var->name);
        analysis->params[v] = param->var;
        if (param->has_lo)
            context_bound(analysis->context, v, param->lo);
    }
    for (size_t i = 0; i < kernel->facts.count; i++) {
        const struct poly *p = poly_move(analysis->ring, kernel->facts.at[i].poly);
        if (p)
            context_constraint(analysis->context,
                               (struct constraint){p, kernel->facts.at[i].relation});
    }
}

static void context_extents(struct analysis *analysis)
{
    const struct kernel *kernel = analysis->kernel;
    for (int i = 0; i < kernel->n_grid + kernel->n_block; i++) {
        const struct axis *axis = i < kernel->n_grid ? &kernel->grid[i]
                                                     : &kernel->block[i - kernel->n_grid];
        const struct form *extent = form_of(analysis, axis->extent);
        if (extent && extent->n_terms == 0)
            context_fact(analysis->context,
                         poly_sub(extent->constant, poly_integer(analysis->ring, 1)));
        context_floors(analysis->context);
    }
}

static struct analysis *analysis_make(struct ctx *ctx, const struct kernel *kernel, bool shared,
                                      bool launches)
{
    struct arena *arena = arena_new();
    struct analysis *analysis = ARENA_NEW(arena, struct analysis);
    analysis->shared = shared;
    analysis->launches = launches;
    analysis->ctx = ctx;
    analysis->kernel = kernel;
    analysis->arena = arena;
    analysis->ring = ring_new(arena);
    analysis->presburger = presburger_new(arena);
    analysis->context = context_new(arena, analysis->ring, analysis->presburger, &analysis->floors);
    context_prepare(analysis);
    for (int i = 0; i < kernel->n_arrays; i++)
        analysis->open |= kernel->arrays[i]->space == SPACE_GLOBAL && !kernel->arrays[i]->dims[0];
    analysis->plain = context_extend(analysis->context);
    context_extents(analysis);
    analysis_collect(analysis);
    return analysis;
}

struct analysis *analysis_new(struct ctx *ctx, const struct kernel *kernel)
{
    return analysis_make(ctx, kernel, false, false);
}

struct analysis *analysis_new_shared(struct ctx *ctx, const struct kernel *kernel)
{
    return analysis_make(ctx, kernel, true, false);
}

struct analysis *analysis_new_launched(struct ctx *ctx, const struct kernel *kernel)
{
    return analysis_make(ctx, kernel, false, true);
}

void analysis_free(struct analysis *analysis)
{
    arena_free(analysis->arena);
}

const char *analysis_key(struct arena *arena, const char *question, const struct kernel *kernel)
{
    return arena_printf(arena, "ir/access %s %p %016llx", question, (const void *)kernel,
                        (unsigned long long)kernel_hash(kernel));
}

/* The analyses asked for last; `next` is the slot to be used next. */
enum { KEPT = 8 };

struct kept_analyses {
    struct analysis *at[KEPT];
    const char *keys[KEPT];
    size_t next;
};

static void kept_release(void *object)
{
    struct kept_analyses *kept = object;
    for (int i = 0; i < KEPT; i++)
        if (kept->at[i])
            analysis_free(kept->at[i]);
}

static struct kept_analyses *kept_of(struct ctx *ctx)
{
    if (!ctx->caches)
        ctx->caches = map_new(ctx->arena);
    struct kept_analyses *kept = map_get(ctx->caches, "ir/access kept");
    if (!kept) {
        kept = ARENA_NEW(ctx->arena, struct kept_analyses);
        arena_on_free(ctx->arena, kept_release, kept);
        map_put(ctx->caches, "ir/access kept", kept);
    }
    return kept;
}

struct analysis *analysis_kept(struct ctx *ctx, const struct kernel *kernel)
{
    struct kept_analyses *kept = kept_of(ctx);
    const char *key = analysis_key(ctx->arena, "list", kernel);
    for (int i = 0; i < KEPT; i++)
        if (kept->keys[i] && strcmp(kept->keys[i], key) == 0)
            return kept->at[i];
    size_t slot = kept->next++ % KEPT;
    if (kept->at[slot])
        analysis_free(kept->at[slot]);
    kept->at[slot] = analysis_new_shared(ctx, kernel);
    kept->keys[slot] = key;
    return kept->at[slot];
}
