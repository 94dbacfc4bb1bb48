/* In: a linear form at a reference. Out: bounds from above, from the ranges of the iterators and
   from limits, forms that are >= 0 wherever the reference is made: guards, the bounds of loops, the
   last rounds of loops with a step. A limit is applied where it takes an iterator out of the form,
   and further ones to what that leaves. */
#include "ir/access/analysis.h"

/* Where the form contains m * L and the guard says L <= R, m >= 0: the form with m * R instead,
   which is never below it; R may have iterators of its own. Else NULL. */
static const struct form *guard_apply(struct analysis *analysis, const struct context *context,
                                      const struct form *form, const struct form *guard)
{
    const struct poly *scale = NULL;
    for (int i = 0; i < guard->n_terms; i++) {
        const struct poly *c = form_coefficient(form, guard->terms[i].iterator);
        if (!c)
            continue;
        const struct poly *m = poly_divide_exact(poly_neg(c), guard->terms[i].coefficient);
        if (!m)
            return NULL;
        if (poly_denominator(m) != 1 || !context_nonnegative(context, m))
            continue;
        if (scale && !poly_equal(m, scale))
            return NULL;
        scale = m;
    }
    if (!scale)
        return NULL;
    return form_add(analysis, form, form_scale(analysis, guard, scale));
}

static void room_add(struct analysis *analysis, struct form_list *rooms, const struct form *greater,
                     const struct form *less)
{
    vec_push(analysis->arena, &rooms->forms, form_sub(analysis, greater, less));
}

/* The bounds of a loop, where they depend on loops around it: end - j and j - start. */
static void loop_rooms(struct analysis *analysis, const struct access *access, int iterator,
                       struct form_list *rooms)
{
    const struct range *range = &access->ranges[iterator];
    const struct form *it = form_iterator(analysis, iterator);
    if (range->hi && range->hi->n_terms)
        room_add(analysis, rooms, range->hi, it);
    if (range->lo && range->lo->n_terms)
        room_add(analysis, rooms, it, range->lo);
}

/* The bounds of the reference's loops, the innermost first, and its guards. */
static struct form_list limits_of(struct analysis *analysis, const struct access *access)
{
    struct form_list limits = {0};
    for (size_t i = access->n_path; i-- > 0;) {
        int v = access->path[i].iterator;
        if (v >= 0)
            loop_rooms(analysis, access, v, &limits);
        if (v >= 0 && analysis->iterators.at[v].room)
            vec_push(analysis->arena, &limits.forms, analysis->iterators.at[v].room);
    }
    for (size_t i = 0; i < access->n_guards; i++)
        vec_push(analysis->arena, &limits.forms, access->guards[i]);
    return limits;
}

void form_bounds(struct analysis *analysis, const struct context *context,
                 const struct access *access, const struct form *a, const bool *over,
                 struct form_list *found)
{
    struct form_list limits = limits_of(analysis, access);
    const struct form *box = form_bound(analysis, context, access, a, true, over);
    if (box)
        vec_push(analysis->arena, &found->forms, box);
    for (size_t i = 0; i < limits.forms.count; i++) {
        const struct form *rest = guard_apply(analysis, context, a, limits.forms.at[i]);
        if (!rest)
            continue;
        for (size_t k = 0; k <= limits.forms.count; k++) {
            const struct form *bound = form_bound(analysis, context, access, rest, true, over);
            if (bound)
                vec_push(analysis->arena, &found->forms, bound);
            const struct form *more =
                k < limits.forms.count && k != i
                    ? guard_apply(analysis, context, rest, limits.forms.at[k])
                    : NULL;
            rest = more ? more : rest;
        }
    }
}
