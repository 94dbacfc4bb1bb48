/* Rational functions, floor, ceil, div, mod, min, max and conditions in polynomial terms: each is a
   variable and a formula that leaves it one value. In: polynomials; out: formulas in the caller's
   arena. Division of integers is Boute's, as in SMT-LIB: the remainder is never negative. A
   fraction compared with zero has the sign of numerator times denominator. */
#include "constraints/guard.h"
#include <stdio.h>

int guard_variable(struct ring *ring, const char *stem)
{
    char name[80];
    for (int i = 1; i <= RING_CAPACITY + 1; i++) {
        snprintf(name, sizeof name, "%.60s_%d", stem, i);
        if (ring_find(ring, name) < 0)
            return ring_variable(ring, name);
    }
    return -1;
}

static const struct poly *the_variable(const struct poly *p, int variable)
{
    return poly_variable(poly_ring(p), variable);
}

static const struct formula *compare(struct arena *arena, const struct poly *p,
                                     enum relation relation, const struct poly *q)
{
    return formula_atom(arena, constraint_make(p, relation, q));
}

static const struct formula *both(struct arena *arena, const struct formula *a,
                                  const struct formula *b)
{
    return formula_and(arena, (const struct formula *[]){a, b}, 2);
}

static const struct formula *either(struct arena *arena, const struct formula *a,
                                    const struct formula *b)
{
    return formula_or(arena, (const struct formula *[]){a, b}, 2);
}

/* lo <= p < lo + 1 */
static const struct formula *unit_interval(struct arena *arena, const struct poly *lo,
                                           const struct poly *p)
{
    const struct poly *hi = poly_add(lo, poly_integer(poly_ring(lo), 1));
    return both(arena, compare(arena, lo, RELATION_LE, p), compare(arena, p, RELATION_LT, hi));
}

const struct formula *guard_floor(struct arena *arena, int variable, const struct poly *p)
{
    return unit_interval(arena, the_variable(p, variable), p);
}

const struct formula *guard_ceil(struct arena *arena, int variable, const struct poly *p)
{
    return unit_interval(arena, p, the_variable(p, variable));
}

static const struct formula *is_zero(struct arena *arena, const struct poly *p)
{
    return formula_atom(arena, (struct constraint){p, RELATION_EQ});
}

/* |q| > p */
static const struct formula *less_than_size(struct arena *arena, const struct poly *p,
                                            const struct poly *q)
{
    return either(arena, compare(arena, p, RELATION_LT, q),
                  compare(arena, p, RELATION_LT, poly_neg(q)));
}

/* Constants are told apart at once. */
static int sign_of(const struct poly *q)
{
    int64_t zeros[RING_CAPACITY] = {0}, ones[RING_CAPACITY];
    for (int v = 0; v < RING_CAPACITY; v++)
        ones[v] = 1;
    return q && poly_is_constant(q) ? poly_sign_at(q, zeros, ones) : 0;
}

const struct formula *guard_div(struct arena *arena, int variable, const struct poly *p,
                                const struct poly *q)
{
    const struct poly *rest = poly_sub(p, poly_mul(q, the_variable(p, variable)));
    const struct formula *is_positive = formula_atom(arena, (struct constraint){rest, RELATION_GE});
    int sign = sign_of(q);
    if (sign)
        return both(arena, is_positive,
                    compare(arena, rest, RELATION_LT, sign > 0 ? q : poly_neg(q)));
    return either(arena, is_zero(arena, q),
                  both(arena, is_positive, less_than_size(arena, rest, q)));
}

const struct formula *guard_mod(struct arena *arena, int variable, int quotient,
                                const struct poly *p, const struct poly *q)
{
    const struct poly *rest = poly_sub(p, poly_mul(q, the_variable(p, quotient)));
    const struct formula *is_rest = compare(arena, the_variable(p, variable), RELATION_EQ, rest);
    return both(arena, guard_div(arena, quotient, p, q), either(arena, is_zero(arena, q), is_rest));
}

const struct formula *guard_quotient(struct arena *arena, int variable, const struct poly *p,
                                     const struct poly *q)
{
    return either(arena, is_zero(arena, q),
                  compare(arena, poly_mul(q, the_variable(p, variable)), RELATION_EQ, p));
}

const struct formula *guard_ite(struct arena *arena, int variable, const struct formula *condition,
                                const struct poly *p, const struct poly *q)
{
    const struct poly *value = the_variable(p, variable);
    const struct formula *is_p = both(arena, condition, compare(arena, value, RELATION_EQ, p));
    const struct formula *is_q =
        both(arena, formula_not(arena, condition), compare(arena, value, RELATION_EQ, q));
    return either(arena, is_p, is_q);
}

const struct formula *guard_min(struct arena *arena, int variable, const struct poly *p,
                                const struct poly *q)
{
    return guard_ite(arena, variable, compare(arena, p, RELATION_LE, q), p, q);
}

const struct formula *guard_max(struct arena *arena, int variable, const struct poly *p,
                                const struct poly *q)
{
    return guard_ite(arena, variable, compare(arena, p, RELATION_LE, q), q, p);
}

const struct formula *guard_fraction(struct arena *arena, const struct poly *numerator,
                                     const struct poly *denominator, enum relation relation)
{
    bool signless = relation == RELATION_EQ || relation == RELATION_NE;
    const struct poly *p = signless ? numerator : poly_mul(numerator, denominator);
    return formula_atom(arena, (struct constraint){p, relation});
}
