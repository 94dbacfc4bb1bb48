/* Which changes a fragment gets: those with which its plan is predicted to be faster (cost.c).

   In: a fragment, read and scheduled as it stands. Out: its plan, with the changes or without.
   All candidates are tried together, or one after the other where they do not go together; then
   each that does not help is left out. Every parameter is taken as SIZE_ASSUMED. A fragment without
   a plan gets none by changes that leave most of its work to one thread.

   Changes that need memory give more threads for more traffic. Where the plan without them has
   threads enough once an axis is long, both are printed, and the text tests how long it is, as a
   share of the threads that the device runs at once: a processor never needs more of them. */
#include "mapper/forms/transformations.h"
#include "mapper/plan/change.h"
#include "mapper/plan/cost.h"
#include "mapper/plan/nest.h"
#include "mapper/plan/panels.h"
#include "mapper/plan/schedule.h"
#include "mapper/scop/limit.h"
#include <math.h>
#include <stdlib.h>

enum { CANDIDATES_MAX = 8 };
/* A change is kept if the plan takes at most so much of the time without it. */
static const double GAIN = 0.7;
/* Sums are kept if the plan takes less than without. */
static const double NO_LOSS = 0.999;
enum { POINTS_LEAST = 256, POINTS_MOST = 65536 };
/* Rounds in a group. */
enum { WIDTH_LEAST = 8, WIDTH_MOST = 32 };

/* --- the choice ------------------------------------------------------------------------------- */

struct change_search {
    struct ctx *ctx;
    struct ast_unit *unit;
    struct nest *nest;
    bool has_plan;                   /* without changes */
    struct cost_sizes sizes;         /* by which plans are compared */
    struct change_list changes;      /* of the best plan */
};

/* Rows of memory are laid out by variables that the function leaves alone. */
static bool memories_are_laid_out(const struct scop *scop)
{
    for (size_t i = 0; i < scop->memories.count; i++)
        for (int dim = 1; dim < scop->memories.at[i]->array->n_dims; dim++) {
            const struct affine *extent = &scop->memories.at[i]->extents[dim];
            for (int k = 0; k < extent->n_terms; k++)
                if (scop->symbols.at[extent->terms[k].symbol].changes)
                    return false;
        }
    return true;
}

/* The plan with some changes; NULL if there is none. Narrow: sums along rows and columns have a
   thread for each of these. */
static struct schedule *plan_with(const struct change_search *s, const struct change_list *changes,
                                  bool is_narrow)
{
    struct change_list *own = ARENA_NEW(s->ctx->arena, struct change_list);
    *own = *changes;
    struct scop *scop = scop_make(s->ctx, s->unit, &s->nest->fragment, own);
    scop->is_narrow = is_narrow;
    struct schedule *plan = scop->refusal.text ? NULL : schedule_make(scop);
    if (plan && (!plan_parts_are_ordered(plan) || !memories_are_laid_out(scop)))
        plan = NULL;
    return scop_limit_end(scop) ? plan : NULL;
}

/* Were changes made for threads that then have little to do? */
static bool is_mostly_alone(const struct change_search *s, const struct schedule *plan)
{
    return !s->has_plan && plan_share_alone(plan, s->nest->scop, &s->sizes) > GAIN;
}

/* Keeps the plan with the changes if it takes at most `factor` times as long as the best one. */
static bool changes_try(struct change_search *s, const struct change_list *changes, double factor)
{
    struct schedule *plan = plan_with(s, changes, false);
    double limit = plan_cost(s->nest->plan, &s->sizes) * factor;
    if (!plan || !(plan_cost(plan, &s->sizes) <= limit) || is_mostly_alone(s, plan))
        return false;
    s->nest->plan = plan;
    s->changes = *changes;
    return true;
}

/* A copy of the list without the entry at `left_out`; a full copy if the list has no such entry. */
static struct change_list list_without(struct arena *arena, const struct change_list *list,
                                       size_t left_out)
{
    struct change_list rest = {0};
    for (size_t i = 0; i < list->count; i++)
        if (i != left_out)
            vec_push(arena, &rest, list->at[i]);
    return rest;
}

/* Leaves out each change, but for the first ones, that makes the plan faster by less than the
   factor GAIN. */
static void changes_prune(struct change_search *s, size_t n_first)
{
    for (size_t i = s->changes.count; i-- > n_first && s->changes.count > 1;) {
        struct change_list rest = list_without(s->ctx->arena, &s->changes, i);
        changes_try(s, &rest, 1 / GAIN);
    }
}

/* How many points the axis has at which the changes still pay; 0: at no number. */
static int64_t points_most(const struct schedule *plan, const struct schedule *unchanged,
                           const struct affine *axis)
{
    for (int64_t points = POINTS_MOST; points >= POINTS_LEAST; points /= 2) {
        struct cost_sizes sizes = {.axis = axis, .points = (double)points,
                                   .other = SIZE_ASSUMED};
        if (plan_cost(plan, &sizes) <= GAIN * plan_cost(unchanged, &sizes))
            return points;
    }
    return 0;
}

const char *plan_size_text(const struct schedule *plan)
{
    struct affine form = plan->size;
    if (!plan->otherwise)
        return NULL;
    long long more = -form.constant;
    const char *sum = more ? arena_printf(plan->scop->arena, " %c %lld", more < 0 ? '-' : '+',
                                          llabs(more)) : "";
    form.constant = 0;
    const char *share = plan->share == 1 ? ""
                        : arena_printf(plan->scop->arena, " / %lld", (long long)plan->share);
    return arena_printf(plan->scop->arena, "%s <= meta_threads()%s%s",
                        affine_text(plan->scop, &form), share, sum);
}

/* The length of the axis of a plan's dearest region, over parameters; false if the region has
   another number of axes, or a literal length. */
static bool dearest_length(const struct schedule *plan, struct affine *size)
{
    const struct affine one = affine_constant(1);
    const struct plan_region *region = plan_dearest(plan, &COST_ASSUMED);
    if (!region || region->n_axes != 1)
        return false;
    *size = region->axes[0].upper;
    return affine_add(size, &region->axes[0].lower, -1) && affine_add(size, &one, 1) &&
           size->n_terms;
}

/* The plan without changes beside the one with them, where it has one axis whose length is not
   known and needs no memory. */
static void otherwise_find(struct nest *nest, struct schedule *unchanged)
{
    struct affine size;
    if (!unchanged || nest->plan == unchanged || !nest->plan->scop->memories.count ||
        !dearest_length(unchanged, &size))
        return;
    int64_t most = points_most(nest->plan, unchanged, &size);
    if (!most) {
        nest->plan = unchanged;
        return;
    }
    nest->plan->size = size;
    nest->plan->share = THREADS_HELD / most;
    nest->plan->otherwise = unchanged;
}

/* Beside a plan that has rows and columns in one region the one that has a thread for each of them:
   a device that runs no more threads at once than there are rows is served better so, as sums of a
   thread need no tree. A plan for which that cannot be asked is not widened. */
static void narrow_find(struct change_search *s)
{
    struct nest *nest = s->nest;
    struct affine size;
    if (!nest->plan || !nest->plan->scop->is_widened || nest->plan->otherwise)
        return;
    struct schedule *narrow = plan_with(s, &s->changes, true);
    if (!narrow)
        return;
    if (!dearest_length(narrow, &size)) {
        nest->plan = narrow;
        return;
    }
    nest->plan->size = size;
    nest->plan->share = 1;
    nest->plan->otherwise = narrow;
}

/* Does the scalar live in elements already? */
static bool is_in_place(const struct change_search *s, const struct ast *decl)
{
    for (size_t i = 0; i < s->changes.count; i++)
        if (s->changes.at[i].row == TRANSFORMATION_IN_PLACE && s->changes.at[i].decl == decl)
            return true;
    return false;
}

/* Copies the found changes to the candidates, without changes that need memory if the printed text
   cannot allocate memory. */
static void candidates_take(struct change_search *s, const struct change_list *found,
                            struct change_list *candidates)
{
    int memory = -1;
    for (size_t i = 0; i < found->count; i++) {
        bool needs = found->at[i].row != TRANSFORMATION_SPLITTING;
        if (found->at[i].row == TRANSFORMATION_SUMS ||
            found->at[i].row == TRANSFORMATION_IN_PLACE || is_in_place(s, found->at[i].decl))
            continue;
        if (needs && memory < 0)
            memory = memory_is_available(s->ctx, s->unit, &s->nest->fragment);
        if ((!needs || memory) && candidates->count < CANDIDATES_MAX)
            vec_push(s->ctx->arena, candidates, found->at[i]);
    }
}

/* Tries the changes, or else each behind the first ones by itself beside those that are kept. */
static void all_or_each_try(struct change_search *s, const struct change_list *all,
                            size_t n_first, double factor)
{
    if (all->count == n_first || changes_try(s, all, factor) || all->count == n_first + 1)
        return;
    for (size_t i = n_first; i < all->count; i++) {
        struct change_list more = list_without(s->ctx->arena, &s->changes, SIZE_MAX);
        vec_push(s->ctx->arena, &more, all->at[i]);
        changes_try(s, &more, factor);
    }
}

/* Adds sums to the changes where the plan is predicted to be faster so: all of them, or else one
   after the other. `in_loops`: those of scalars that the host would set in loops of its own. */
static void sums_try(struct change_search *s, const struct change_list *found, bool in_loops)
{
    struct change_list sums = list_without(s->ctx->arena, &s->changes, SIZE_MAX);
    size_t n_before = sums.count;
    for (size_t i = 0; i < found->count; i++)
        if (found->at[i].row == TRANSFORMATION_SUMS && in_loops == (found->at[i].depth > 0) &&
            sums.count < CANDIDATES_MAX)
            vec_push(s->ctx->arena, &sums, found->at[i]);
    all_or_each_try(s, &sums, n_before, NO_LOSS);
}

/* Sums that several threads take. Those that make the plan no faster are left out. */
static void sums_choose(struct change_search *s, const struct change_list *found)
{
    sums_try(s, found, false);
    sums_try(s, found, true);
    for (size_t i = s->changes.count; i-- > 0;) {
        struct change_list rest = list_without(s->ctx->arena, &s->changes, i);
        changes_try(s, &rest, 1 / NO_LOSS);
    }
}

/* The sizes by which plans are compared: where there are rounds enough for chunks, if there may be
   chunks. */
static struct cost_sizes sizes_of(const struct change_list *found)
{
    struct cost_sizes sizes = COST_ASSUMED;
    for (size_t i = 0; i < found->count; i++)
        if (found->at[i].scan) {
            sizes.given = found->at[i].scan->sizes;
            sizes.n_given = found->at[i].scan->n_sizes;
        }
    return sizes;
}

/* Scalars that live in the elements that they are stored to: all such scalars if the plan gains by
   them together, else each scalar by which the plan gains. */
static void in_place_choose(struct change_search *s, const struct change_list *found)
{
    struct change_list all = list_without(s->ctx->arena, &s->changes, SIZE_MAX);
    size_t n_before = all.count;
    for (size_t i = 0; i < found->count; i++)
        if (found->at[i].row == TRANSFORMATION_IN_PLACE && all.count < CANDIDATES_MAX)
            vec_push(s->ctx->arena, &all, found->at[i]);
    all_or_each_try(s, &all, n_before, GAIN);
}

/* Loops of the host whose rounds come in groups, each in groups of the width that is predicted to
   be fastest, where that takes at most the share GAIN of the loop's own time. */
static void panels_choose(struct change_search *s)
{
    struct change_list found = {0};
    if (!s->nest->plan || s->nest->plan->otherwise ||
        !transformation_is_on(s->ctx, TRANSFORMATION_PANELS))
        return;
    const struct schedule *without = s->nest->plan;
    panels_find(without, &found);
    for (size_t i = 0; i < found.count; i++) {
        struct change_list before = s->changes;
        double all = plan_cost(without, &s->sizes);
        double own = plan_step_cost(without, &s->sizes, found.at[i].grouped->step);
        double factor = (all - own * (1 - GAIN)) / all;
        for (int64_t width = WIDTH_LEAST; width <= WIDTH_MOST; width *= 2) {
            struct change_list more = list_without(s->ctx->arena, &before, SIZE_MAX);
            found.at[i].width = width;
            vec_push(s->ctx->arena, &more, found.at[i]);
            if (changes_try(s, &more, factor))
                factor = 1;
        }
    }
}

void nest_choose(struct ctx *ctx, struct ast_unit *unit, struct nest *nest,
                 const struct change_list *found)
{
    struct change_search s = {.ctx = ctx, .unit = unit, .nest = nest, .has_plan = nest->plan,
                              .sizes = sizes_of(found)};
    struct change_list candidates = {0};
    sums_choose(&s, found);
    in_place_choose(&s, found);
    struct schedule *unchanged = nest->plan;
    size_t n_sums = s.changes.count;
    candidates = list_without(ctx->arena, &s.changes, SIZE_MAX);
    candidates_take(&s, found, &candidates);
    if (nest->plan)
        nest->refusal.text = NULL;
    if (candidates.count == n_sums) {
        narrow_find(&s);
        panels_choose(&s);
        return;
    }
    all_or_each_try(&s, &candidates, n_sums, GAIN);
    changes_prune(&s, n_sums);
    otherwise_find(nest, unchanged);
    narrow_find(&s);
    panels_choose(&s);
    if (nest->plan)
        nest->refusal.text = NULL;
}
