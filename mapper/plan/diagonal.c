/* The threads of a wavefront: the diagonal's bounds in place of the box's.

   In: a step of kind PLAN_WAVE, whose region has a box that is the same for all values w of the
   sum. Out: what an axis a, of factor f in the sum, can be at one w. As f * a = w - (the other
   terms), it lies between (w - their greatest value) / f and (w - their least) / f. C's quotients
   are rounded towards 0, so that a bound may be one too far out, never too far in; the conditions
   of the threads leave that point out.

   Where one of the box's bound and this one is within the other at every w, that is the axis's
   bound, as n - 1 - w in

       for (int w = 1; w < n; w++)                          j - i = w
           … i < n - w

   else the text has a variable for it, the greater one of two firsts or the lesser of two lasts.
   Bounds of a grid must not be negative (docs/language.md): an axis or a sum that may begin below 0
   keeps the bounds of the box. Variables and the sum are loops here, of which forms may speak: the
   sum runs over its values, a first begins at the box's bound and goes up, a last goes down. */
#include "mapper/plan/box.h"
#include "mapper/plan/schedule.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/sets.h"
#include <stdlib.h>

/* A name that the host has around the step's region, as a loop that goes up or down. */
static struct scop_loop *name_make(struct scop *scop, const struct plan_step *step,
                                   const char *name, int64_t direction)
{
    const struct scop_loop *follows = step->body.at[0]->region.follows;
    struct scop_loop *loop = ARENA_NEW(scop->arena, struct scop_loop);
    *loop = (struct scop_loop){.id = -1, .depth = step->depth - 1, .ast = follows->ast,
                               .iterator = follows->iterator, .name = name,
                               .type = follows->type, .step = direction};
    loop->symbol = affine_symbol_of(scop, loop);
    return loop;
}

/* The least or greatest value, on one diagonal, of the axis's iterator times the iterator's
   factor. */
static bool diagonal_bound(const struct scop *scop, const struct plan_step *step, int symbol,
                           bool upper, struct affine *bound)
{
    const struct plan_region *region = &step->body.at[0]->region;
    struct affine others = region->wave, own = {.n_terms = 1, .terms = {{symbol, 1}}}, rest;
    int64_t factor = affine_factor(&region->wave, symbol);
    int64_t sign = factor < 0 ? -1 : 1;
    *bound = affine_constant(0);
    if (!affine_add(&others, &own, -factor) ||
        !affine_bound(scop, step->depth, &others, (sign > 0) != upper, &rest))
        return false;
    own = affine_iterator(region->diagonal->sum);
    return affine_add(bound, &own, sign) && affine_add(bound, &rest, -sign);
}

/* Is a bound within another, further one wherever the wavefront's region runs? */
static bool is_within(const struct scop *scop, const struct plan_step *step,
                      const struct affine *inner, const struct affine *outer, bool upper)
{
    const struct scop_loop *loops[HOSTS_MAX];
    const struct plan_step *body = step->body.at[0];
    struct affine way = affine_constant(1);
    int n = region_hosts(&body->region, body->depth, loops);
    return affine_add(&way, upper ? outer : inner, 1) &&
           affine_add(&way, upper ? inner : outer, -1) &&
           loops_imply_positive(scop, place_below(loops, n), &way);
}

/* Is the form at least 0 wherever the wavefront's region runs? */
static bool is_natural(const struct scop *scop, const struct plan_step *step,
                       const struct affine *form)
{
    struct affine zero = affine_constant(0);
    return is_within(scop, step, form, &zero, false);
}

static void end_make(struct scop *scop, struct plan_step *step, int axis, bool upper)
{
    struct plan_region *region = &step->body.at[0]->region;
    struct plan_diagonal *diagonal = region->diagonal;
    const struct scop_loop *loop = region_loop(region, PART_ALL, axis);
    struct affine *box = upper ? &diagonal->axes[axis].upper : &diagonal->axes[axis].lower;
    struct affine scaled = affine_constant(0);
    struct plan_end end = {.upper = upper, .box = *box};
    end.divisor = llabs(affine_factor(&region->wave, loop->symbol));
    if (!end.divisor || !affine_add(&scaled, box, end.divisor) ||
        !diagonal_bound(scop, step, loop->symbol, upper, &end.bound) ||
        is_within(scop, step, &scaled, &end.bound, upper))
        return;
    struct affine sum = affine_iterator(diagonal->sum);
    if (end.divisor == 1 && is_natural(scop, step, &sum) &&
        is_within(scop, step, &end.bound, box, upper)) {
        *box = end.bound;
        return;
    }
    if (!is_natural(scop, step, &region->axes[axis].lower))
        return;
    struct scop_loop *name = name_make(scop, step, loop->name, upper ? -1 : 1);
    end.base = arena_printf(scop->arena, upper ? "%s_last" : "%s_first", loop->name);
    name->type = loop->type;
    name->start = *box;
    name->limits[0] = *box;
    end.name = name;
    *box = affine_iterator(name);
    diagonal->ends[diagonal->n_ends++] = end;
}

static void diagonal_make(struct scop *scop, struct plan_step *step)
{
    struct plan_region *region = &step->body.at[0]->region;
    struct scop_loop *sum = name_make(scop, step, "w", 1);
    sum->start = step->lower;
    sum->limits[0] = step->upper;
    sum->n_limits = 1;
    region->diagonal = ARENA_NEW(scop->arena, struct plan_diagonal);
    region->diagonal->sum = sum;
    for (int axis = 0; axis < region->n_axes; axis++)
        region->diagonal->axes[axis] = region->axes[axis];
    for (int axis = 0; axis < region->n_axes; axis++)
        for (int upper = 0; upper < 2; upper++)
            end_make(scop, step, axis, upper);
}

void schedule_diagonals(struct scop *scop, plan_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        struct plan_step *step = steps->at[i];
        if (step->kind == PLAN_WAVE)
            diagonal_make(scop, step);
        else
            schedule_diagonals(scop, &step->body);
    }
}
