/* Targets: may a rewrite better a performance counter, may it make it worse?

   In: values of one counter before and after a rewrite, the system of the path. Out: yes only where
   it is proved. A value with a goal is compared test by test: by its keys, since floors and
   ceilings hide from the solver that a test grew easier; a test that the kernel no longer has is
   met. A value without is compared as a number.
   Source: Chen et al., Algorithm 2, lines 17 to 29, with P as a target (spec C-19). */
#include "optimizer/search.h"

/* Are both values given by the same pieces? */
static bool value_same(const struct counter_value *a, const struct counter_value *b)
{
    bool same = a == b || a->count == b->count;
    for (size_t i = 0; same && a != b && i < a->count; i++) {
        const struct counter_piece *x = &a->pieces[i], *y = &b->pieces[i];
        bool quotients = (x->denominator == NULL) == (y->denominator == NULL);
        same = quotients && x->guard.count == y->guard.count &&
               poly_equal(x->numerator, y->numerator) &&
               (!x->denominator || poly_equal(x->denominator, y->denominator));
        for (size_t k = 0; same && k < x->guard.count; k++)
            same = constraint_equal(x->guard.at[k], y->guard.at[k]);
    }
    return same;
}

bool target_is_met(const struct counter_value *value)
{
    return value->goal ? value->goal->count == 0 : value->count == 0;
}

static const struct counter_test *test_find(const struct counter_goal *goal, int id)
{
    if (goal)
        for (size_t i = 0; i < goal->count; i++)
            if (goal->tests[i].id == id)
                return &goal->tests[i];
    return NULL;
}

/* No key rises, proved. */
static bool keys_hold_up(struct sas system, const struct counter_test *before,
                         const struct counter_test *after)
{
    if (before->n_keys == 0 || before->n_keys != after->n_keys)
        return false;
    for (size_t i = 0; i < before->n_keys; i++)
        if (poly_may_rise(system, before->keys[i], after->keys[i]))
            return false;
    return true;
}

/* Is the test proved to be no harder than it was? */
static bool test_holds_up(struct sas system, const struct counter_test *before,
                          const struct counter_test *after)
{
    return constraint_equal(before->accept, after->accept) || keys_hold_up(system, before, after);
}

/* Another test; or one of numbers, never met, that is nearer to be met. */
static bool test_differs(const struct counter_test *before, const struct counter_test *after)
{
    if (!constraint_equal(before->accept, after->accept))
        return true;
    bool differs = before->n_keys != after->n_keys;
    for (size_t i = 0; i < before->n_keys && !differs; i++)
        differs = !poly_equal(before->keys[i], after->keys[i]);
    return differs && poly_is_constant(before->accept.poly);
}

bool target_may_fall(struct arena *arena, struct sas system, const struct counter_value *before,
                     const struct counter_value *after)
{
    if (before == after || target_is_met(after))
        return false;
    if (!after->goal)
        return target_is_met(before) || before->goal ||
               counter_may_rise(arena, system, after, before);
    for (size_t i = 0; i < after->goal->count; i++) {
        const struct counter_test *test = &after->goal->tests[i],
                                  *old = test_find(before->goal, test->id);
        if (!old || !test_holds_up(system, old, test))
            return true;
    }
    return false;
}

bool target_betters(struct arena *arena, struct sas system, const struct counter_value *before,
                    const struct counter_value *after, size_t test)
{
    if (!before->goal)
        return target_is_met(after) ||
               (!value_same(before, after) && !counter_may_rise(arena, system, after, before));
    const struct counter_test *old = &before->goal->tests[test],
                              *new = test_find(after->goal, old->id);
    if (!new)
        return after->goal || target_is_met(after);
    return test_differs(old, new) && keys_hold_up(system, old, new);
}
