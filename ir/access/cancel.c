/* In: two references. Out: is it certain that they never meet, because their guards contradict each
   other once the subscripts are equal?

   If they meet, a sum of guards of either side (each >= 0) and of differences of subscripts (each
   0) is >= 0. Where such a sum contains no iterator and is negative, they do not meet. Example:
   a[r][c] and a[c'][r'] under r < c and r' < c': (c - r - 1) + (c' - r' - 1) + (r - c') + (c - r')
   * -1 = -2. Each side's iterators must cancel by themselves, so the two sides are summed apart;
   differences are taken with factors -1, 0, 1, guards once. */
#include "ir/access/delta.h"

enum { DIMENSIONS_MAX = 4, GUARDS_MAX = 4 };

/* The side's guards in `chosen` plus its subscripts times `factors`; NULL unless the
   iterators cancel. */
static const struct poly *side_sum(struct analysis *analysis, const struct access *access,
                                   unsigned chosen, const int *factors)
{
    const struct form *sum = form_integer(analysis, 0);
    for (int d = 0; d < access->reference.array->n_dims; d++)
        if (factors[d])
            sum = form_add(analysis, sum,
                           form_scale(analysis, access->subscripts[d],
                                      poly_integer(analysis->ring, factors[d])));
    for (size_t g = 0; g < access->n_guards && g < GUARDS_MAX; g++)
        if (chosen >> g & 1)
            sum = form_add(analysis, sum, access->guards[g]);
    return sum->n_terms ? NULL : sum->constant;
}

/* The least of the side's sums that is known: a sum below which another lies does not matter. */
static const struct poly *side_least(struct analysis *analysis, const struct context *context,
                                     const struct access *access, const int *factors)
{
    size_t n = access->n_guards < GUARDS_MAX ? access->n_guards : GUARDS_MAX;
    const struct poly *least = NULL;
    for (unsigned chosen = 0; chosen < 1u << n; chosen++) {
        const struct poly *sum = side_sum(analysis, access, chosen, factors);
        if (sum && (!least || context_at_least(context, least, sum)))
            least = sum;
    }
    return least;
}

bool cancel_refutes(struct analysis *analysis, const struct context *context,
                    const struct access *a, const struct access *b)
{
    int n = a->reference.array->n_dims, combinations = 1;
    if (n > DIMENSIONS_MAX || (a->n_guards == 0 && b->n_guards == 0))
        return false;
    for (int d = 0; d < n; d++) {
        if (!a->subscripts[d] || !b->subscripts[d])
            return false;
        combinations *= 3;
    }
    for (int i = 1; i < combinations; i++) {
        int mine[DIMENSIONS_MAX] = {0}, theirs[DIMENSIONS_MAX] = {0};
        for (int d = 0, rest = i; d < n; d++, rest /= 3) {
            mine[d] = rest % 3 - (rest % 3 == 2 ? 3 : 0);
            theirs[d] = -mine[d];
        }
        const struct poly *x = side_least(analysis, context, a, mine);
        const struct poly *y = x ? side_least(analysis, context, b, theirs) : NULL;
        if (y && context_positive(context, poly_neg(poly_add(x, y))))
            return true;
    }
    return false;
}
