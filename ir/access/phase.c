/* In: two references whose subscripts hold remainders by a literal, as planes that take turns do,
   and a question. Out: is it certain that they never meet, as they do not for any value of the
   remainder?

       u[(t + 1) % 2 * n + i] = … u[t % 2 * n + i - 1] …

   A remainder is a number between 0 and m - 1 of each execution, so that two writes of
   u[(t + 1) % 2 * n + i] seem to be in different planes sometimes. Where what is divided is the
   same in both executions, so is the remainder: each of its values is looked at by itself. Of
   several remainders one is taken after the other, CASES_MAX cases in all. */
#include "ir/access/delta.h"

enum { DIVISOR_MAX = 8, CASES_MAX = 32 };

/* Is the remainder's dividend the same number in both executions, and never below 0? */
static bool is_shared(struct analysis *analysis, const struct context *context,
                      const struct meeting_question *question, const struct remainder *r)
{
    for (int i = 0; i < r->dividend->n_terms; i++)
        if (iterator_relation(analysis, question, r->dividend->terms[i].iterator) != SAME)
            return false;
    const struct poly *least = form_extreme(analysis, context, NULL, r->dividend, false);
    return least && context_nonnegative(context, least);
}

static bool is_used(const struct access *access, const struct remainder *r)
{
    for (int d = 0; d < access->reference.array->n_dims; d++)
        if (access->subscripts[d] && form_coefficient(access->subscripts[d], r->iterator))
            return true;
    return false;
}

/* A remainder that a subscript of either holds and whose values may be looked at; NULL: none. */
static const struct remainder *remainder_of(struct analysis *analysis,
                                            const struct context *context, const struct access *a,
                                            const struct access *b,
                                            const struct meeting_question *question, int64_t *m)
{
    for (size_t i = 0; i < analysis->remainders.count; i++) {
        const struct remainder *r = &analysis->remainders.at[i];
        if ((is_used(a, r) || is_used(b, r)) && poly_get_integer(r->divisor, m) && *m > 1 &&
            *m <= DIVISOR_MAX && is_shared(analysis, context, question, r))
            return r;
    }
    return NULL;
}

static const struct form *form_at(struct analysis *analysis, const struct form *form,
                                  const struct remainder *r, int64_t value)
{
    const struct poly *coefficient = form ? form_coefficient(form, r->iterator) : NULL;
    if (!coefficient)
        return form;
    const struct form *way = form_sub(analysis, form_integer(analysis, value),
                                      form_iterator(analysis, r->iterator));
    return form_add(analysis, form, form_scale(analysis, way, coefficient));
}

/* The reference where the remainder has the value. */
static const struct access *access_at(struct analysis *analysis, const struct access *access,
                                      const struct remainder *r, int64_t value)
{
    int n = access->reference.array->n_dims;
    struct access *at = ARENA_NEW(analysis->arena, struct access);
    const struct form **subscripts = ARENA_ARRAY(analysis->arena, const struct form *,
                                                 (size_t)n + 1);
    *at = *access;
    for (int d = 0; d < n; d++)
        subscripts[d] = form_at(analysis, access->subscripts[d], r, value);
    at->subscripts = subscripts;
    return at;
}

static bool refutes(struct analysis *analysis, const struct context *context,
                    const struct access *a, const struct access *b,
                    const struct meeting_question *question, int64_t cases)
{
    int64_t m;
    const struct remainder *r = remainder_of(analysis, context, a, b, question, &m);
    if (!r || cases * m > CASES_MAX)
        return false;
    for (int64_t value = 0; value < m; value++) {
        const struct access *x = access_at(analysis, a, r, value),
                            *y = access_at(analysis, b, r, value);
        if (!pair_refutes(analysis, context, x, y, question) &&
            !refutes(analysis, context, x, y, question, cases * m))
            return false;
    }
    return true;
}

bool phases_refute(struct analysis *analysis, const struct context *context,
                   const struct access *a, const struct access *b,
                   const struct meeting_question *question)
{
    return refutes(analysis, context, a, b, question, 1);
}
