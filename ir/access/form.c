/* Linear forms over iterators with polynomial coefficients: sums, multiples and extreme values.

   An extreme value is found by eliminating iterators from the innermost to the outermost: one with
   a coefficient >= 0 is replaced by the end of its range, one with a coefficient <= 0 by the
   beginning. Ranges refer to iterators further outside only, so triangles (z <= u) come out
   exactly; where the sign of a coefficient is open there is no answer. */
#include "ir/access/analysis.h"
#include <string.h>

const struct form *form_constant(struct analysis *analysis, const struct poly *p)
{
    struct form *form = ARENA_NEW(analysis->arena, struct form);
    form->constant = p;
    return form;
}

const struct form *form_integer(struct analysis *analysis, int64_t value)
{
    return form_constant(analysis, poly_integer(analysis->ring, value));
}

const struct form *form_iterator(struct analysis *analysis, int iterator)
{
    struct form *form = ARENA_NEW(analysis->arena, struct form);
    struct form_term *term = ARENA_NEW(analysis->arena, struct form_term);
    term->iterator = iterator;
    term->coefficient = poly_integer(analysis->ring, 1);
    form->constant = poly_integer(analysis->ring, 0);
    form->n_terms = 1;
    form->terms = term;
    return form;
}

const struct form *form_add(struct analysis *analysis, const struct form *a, const struct form *b)
{
    struct form *form = ARENA_NEW(analysis->arena, struct form);
    struct form_term *terms = ARENA_ARRAY(analysis->arena, struct form_term,
                                          a->n_terms + b->n_terms + 1);
    int i = 0, k = 0, n = 0;
    while (i < a->n_terms || k < b->n_terms) {
        if (k == b->n_terms || (i < a->n_terms && a->terms[i].iterator < b->terms[k].iterator)) {
            terms[n++] = a->terms[i++];
        } else if (i == a->n_terms || b->terms[k].iterator < a->terms[i].iterator) {
            terms[n++] = b->terms[k++];
        } else {
            const struct poly *sum = poly_add(a->terms[i].coefficient, b->terms[k].coefficient);
            if (!poly_is_zero(sum))
                terms[n++] = (struct form_term){a->terms[i].iterator, sum};
            i++, k++;
        }
    }
    form->constant = poly_add(a->constant, b->constant);
    form->n_terms = n;
    form->terms = terms;
    return form;
}

const struct form *form_scale(struct analysis *analysis, const struct form *a, const struct poly *p)
{
    if (poly_is_zero(p))
        return form_integer(analysis, 0);
    struct form *form = ARENA_NEW(analysis->arena, struct form);
    struct form_term *terms = ARENA_ARRAY(analysis->arena, struct form_term, a->n_terms + 1);
    for (int i = 0; i < a->n_terms; i++)
        terms[i] = (struct form_term){a->terms[i].iterator, poly_mul(a->terms[i].coefficient, p)};
    form->constant = poly_mul(a->constant, p);
    form->n_terms = a->n_terms;
    form->terms = terms;
    return form;
}

const struct form *form_sub(struct analysis *analysis, const struct form *a, const struct form *b)
{
    return form_add(analysis, a, form_scale(analysis, b, poly_integer(analysis->ring, -1)));
}

const struct poly *form_coefficient(const struct form *a, int iterator)
{
    for (int i = 0; i < a->n_terms; i++)
        if (a->terms[i].iterator == iterator)
            return a->terms[i].coefficient;
    return NULL;
}

bool form_equal(const struct form *a, const struct form *b)
{
    if (a->n_terms != b->n_terms || !poly_equal(a->constant, b->constant))
        return false;
    for (int i = 0; i < a->n_terms; i++)
        if (a->terms[i].iterator != b->terms[i].iterator ||
            !poly_equal(a->terms[i].coefficient, b->terms[i].coefficient))
            return false;
    return true;
}

static const struct range *range_of(struct analysis *analysis, const struct access *access,
                                    int iterator)
{
    if (access && iterator < access->n_ranges && access->ranges[iterator].lo)
        return &access->ranges[iterator];
    return &analysis->iterators.at[iterator].range;
}

/* a without its innermost iterator of `over`, replaced by `end` of its range. */
static const struct form *form_replace(struct analysis *analysis, const struct form *a, int index,
                                       const struct form *end)
{
    struct form *rest = ARENA_NEW(analysis->arena, struct form);
    struct form_term *terms = ARENA_ARRAY(analysis->arena, struct form_term, a->n_terms);
    memcpy(terms, a->terms, (size_t)index * sizeof *terms);
    memcpy(terms + index, a->terms + index + 1, (size_t)(a->n_terms - index - 1) * sizeof *terms);
    rest->constant = a->constant;
    rest->n_terms = a->n_terms - 1;
    rest->terms = terms;
    return form_add(analysis, rest, form_scale(analysis, end, a->terms[index].coefficient));
}

const struct form *form_bound(struct analysis *analysis, const struct context *context,
                              const struct access *access, const struct form *a, bool upper,
                              const bool *over)
{
    for (;;) {
        int index = a->n_terms - 1;
        while (index >= 0 && over && !over[a->terms[index].iterator])
            index--;
        if (index < 0)
            return a;
        int direction = context_direction(context, a->terms[index].coefficient);
        if (direction == 2)
            return NULL;
        const struct range *range = range_of(analysis, access, a->terms[index].iterator);
        const struct form *end = (direction > 0) == upper ? range->hi : range->lo;
        if (!end)
            return NULL;
        a = form_replace(analysis, a, index, end);
    }
}

const struct poly *form_extreme(struct analysis *analysis, const struct context *context,
                                const struct access *access, const struct form *a, bool upper)
{
    const struct form *bound = form_bound(analysis, context, access, a, upper, NULL);
    return bound ? bound->constant : NULL;
}

const struct poly *poly_multiple(const struct poly *p, const struct poly *g)
{
    const struct poly *q = poly_divide_exact(p, g);
    int64_t n, d;
    unsigned exponents[RING_CAPACITY];
    if (q)
        for (size_t i = 0; i < poly_terms(q); i++)
            if (!poly_term(q, i, &n, &d, exponents) || d != 1)
                return NULL;
    return q;
}
