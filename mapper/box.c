/* The box of a region's axes: bounds of grids, over parameters and the iterators of host loops.

   In: the loops that are an axis. Out: an affine lower and upper bound of all their iterations.
   Iterators of other loops in a bound are replaced by their own bounds, so the box holds every
   iteration and perhaps more: conditions in the thread leave out what is too much. */
#include "mapper/plan.h"

/* The innermost iterator of a form at or below `depth`; NULL if there is none. */
static const struct affine_term *innermost_of(const struct scop *scop, int depth,
                                              const struct affine *form)
{
    const struct affine_term *found = NULL;
    int deepest = depth - 1;
    for (int i = 0; i < form->n_terms; i++) {
        const struct scop_loop *loop = scop->symbols.at[form->terms[i].symbol].loop;
        if (!loop || loop->depth <= deepest)
            continue;
        deepest = loop->depth;
        found = &form->terms[i];
    }
    return found;
}

/* Innermost first, so that what an inner bound has in common with the form cancels: j - i is at
   least 1 where j begins at i + 1. */
bool affine_bound(const struct scop *scop, int depth, const struct affine *form, bool upper,
                  struct affine *out)
{
    *out = *form;
    for (;;) {
        const struct affine_term *term = innermost_of(scop, depth, out);
        if (!term)
            return true;
        const struct scop_loop *loop = scop->symbols.at[term->symbol].loop;
        int64_t factor = term->factor;
        bool greatest = (factor > 0) == upper;
        bool is_start = (loop->step > 0) != greatest;
        struct affine iterator = affine_iterator(loop);
        if (!affine_add(out, &iterator, -factor) ||
            !affine_add(out, is_start ? &loop->start : &loop->limits[0], factor))
            return false;
    }
}

bool bound_join(struct affine *bound, const struct affine *other, bool upper)
{
    struct affine same = *other;
    bool further = upper ? other->constant > bound->constant : other->constant < bound->constant;
    same.constant = bound->constant;
    if (!affine_equal(bound, &same))
        return false;
    if (further)
        bound->constant = other->constant;
    return true;
}

bool region_box(const struct scop *scop, int depth, struct plan_region *region)
{
    for (int axis = 0; axis < region->n_axes; axis++) {
        struct affine *box[2] = {&region->axes[axis].lower, &region->axes[axis].upper};
        for (size_t i = 0; i < region->members.count; i++)
            for (int upper = 0; upper < 2; upper++) {
                const struct plan_member *member = &region->members.at[i];
                struct affine bound;
                struct affine own = affine_iterator(member->unit->loops[member->axes[axis]]);
                if (!affine_bound(scop, depth, &own, upper, &bound))
                    return false;
                if (i == 0)
                    *box[upper] = bound;
                else if (!bound_join(box[upper], &bound, upper))
                    return false;
            }
    }
    return true;
}
