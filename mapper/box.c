/* The box of a region's axes: bounds of grids, over parameters and the iterators of host loops.

   In: the loops that are an axis. Out: an affine lower and upper bound of all their iterations.
   Iterators of other loops in a bound are replaced by their own bounds, so the box holds every
   iteration and perhaps more: conditions in the thread leave out what is too much. */
#include "mapper/plan.h"

/* The loop's least (or greatest) iteration over parameters and loops above `depth`. */
static bool bound_of(const struct scop *scop, int depth, const struct scop_loop *loop, bool upper,
                     struct affine *out);

bool affine_bound(const struct scop *scop, int depth, const struct affine *form, bool upper,
                       struct affine *out)
{
    *out = affine_constant(form->constant);
    for (int i = 0; i < form->n_terms; i++) {
        const struct affine_term *term = &form->terms[i];
        const struct scop_loop *loop = scop->symbols.at[term->symbol].loop;
        struct affine inner = affine_constant(0);
        inner.n_terms = 1;
        inner.terms[0] = (struct affine_term){term->symbol, 1};
        if (loop && loop->depth >= depth &&
            !bound_of(scop, depth, loop, (term->factor > 0) == upper, &inner))
            return false;
        if (!affine_add(out, &inner, term->factor))
            return false;
    }
    return true;
}

static bool bound_of(const struct scop *scop, int depth, const struct scop_loop *loop, bool upper,
                     struct affine *out)
{
    bool is_start = (loop->step > 0) != upper;
    return affine_bound(scop, depth, is_start ? &loop->start : &loop->limits[0], upper, out);
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
                if (!bound_of(scop, depth, member->unit->loops[member->axes[axis]], upper, &bound))
                    return false;
                if (i == 0)
                    *box[upper] = bound;
                else if (!bound_join(box[upper], &bound, upper))
                    return false;
            }
    }
    return true;
}
