/* In: references with guards and ranges. Out: what certainly holds wherever they are made, and
   whether they stay inside their arrays.

   A form is bounded from below over the ranges; guards, times factors that are not negative, are
   taken off it one after the other where that removes their innermost iterator: what remains is not
   greater. */
#include "ir/access/delta.h"

bool form_holds(struct analysis *analysis, const struct access *access, const struct form *a)
{
    const struct context *context = pair_context(analysis, access, access);
    for (size_t i = 0; i <= access->n_guards; i++) {
        const struct poly *least = form_extreme(analysis, context, access, a, false);
        if (least && context_nonnegative(context, least))
            return true;
        if (i == access->n_guards)
            break;
        const struct form *guard = access->guards[i];
        const struct form_term *inner = &guard->terms[guard->n_terms - 1];
        const struct poly *c = form_coefficient(a, inner->iterator);
        const struct poly *factor = c ? poly_multiple(c, inner->coefficient) : NULL;
        if (factor && context_nonnegative(context, factor))
            a = form_sub(analysis, a, form_scale(analysis, guard, factor));
    }
    return false;
}

bool access_stays_inside(struct analysis *analysis, const struct access *access)
{
    const struct array *array = access->reference.array;
    for (int d = 0; d < array->n_dims; d++) {
        const struct expr *dim = array->dims[d];
        const struct form *extent = dim ? form_of(analysis, dim) : NULL;
        if (!extent || !access->subscripts[d] ||
            !form_holds(analysis, access, access->subscripts[d]))
            return false;
        const struct form *room = form_sub(analysis, extent, access->subscripts[d]);
        if (!form_holds(analysis, access, form_sub(analysis, room, form_integer(analysis, 1))))
            return false;
    }
    return true;
}

bool access_within(struct ctx *ctx, const struct kernel *kernel, const struct array *array)
{
    struct analysis *analysis = analysis_new_shared(ctx, kernel);
    bool within = true;
    for (size_t i = 0; i < analysis->accesses.count && within; i++)
        if (analysis->accesses.at[i]->reference.array == array)
            within = access_stays_inside(analysis, analysis->accesses.at[i]);
    analysis_free(analysis);
    return within;
}
