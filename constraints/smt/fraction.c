/* Arithmetic on polynomials by cases. In: numbers; out: numbers whose guards are the conjunctions
   of theirs, so that a term with conditions and divisions needs no variable of its own. A fraction
   is compared with zero by guard_fraction. Products of cases are limited; whoever calls then gives
   the operands a variable each. Cases that cannot hold are dropped, fractions that divide are
   divided (their denominator is not zero under the guard). */
#include "constraints/smt/fraction.h"
#include "base/vec.h"
#include "constraints/guard.h"

enum { CASE_LIMIT = 8, DENOMINATOR_LIMIT = 8 };

typedef VEC(struct fraction_case) case_list;

static const struct fraction *fraction_of(struct arena *arena, const case_list *cases)
{
    struct fraction *number = ARENA_NEW(arena, struct fraction);
    *number = (struct fraction){cases->at, cases->count};
    return number;
}

const struct fraction *fraction_poly(struct arena *arena, const struct poly *p)
{
    case_list cases = {0};
    vec_push(arena, &cases, ((struct fraction_case){formula_true(), p, NULL}));
    return fraction_of(arena, &cases);
}

const struct poly *fraction_is_poly(const struct fraction *a)
{
    return a->count == 1 && !a->at[0].denominator ? a->at[0].numerator : NULL;
}

/* Is one the negation of the other? Seen where they are atoms of one polynomial or the same
   node. */
static bool contradict(const struct formula *f, const struct formula *g)
{
    if (f->kind == FORMULA_NOT || g->kind == FORMULA_NOT)
        return (f->kind == FORMULA_NOT && f->at[0] == g) ||
               (g->kind == FORMULA_NOT && g->at[0] == f);
    if (f->kind != FORMULA_ATOM || g->kind != FORMULA_ATOM || !f->constraint.poly ||
        !g->constraint.poly)
        return false;
    return f->constraint.relation == constraint_negate(g->constraint).relation &&
           poly_equal(f->constraint.poly, g->constraint.poly);
}

static bool same(const struct formula *f, const struct formula *g)
{
    return f == g || (f->kind == FORMULA_ATOM && g->kind == FORMULA_ATOM && f->constraint.poly &&
                      g->constraint.poly && constraint_equal(f->constraint, g->constraint));
}

/* The conjunction of two guards; their parts are compared, so that cases that exclude each other go
   at once. */
static const struct formula *both(struct arena *arena, const struct formula *a,
                                  const struct formula *b)
{
    const struct formula *const *at = a->kind == FORMULA_AND ? a->at : &a, *const *other =
                                                                               b->kind ==
                                                                                       FORMULA_AND
                                                                                   ? b->at
                                                                                   : &b;
    size_t count = a->kind == FORMULA_AND ? a->count : 1,
           others = b->kind == FORMULA_AND ? b->count : 1;
    VEC(const struct formula *) parts = {0};
    for (size_t i = 0; i < count; i++)
        vec_push(arena, &parts, at[i]);
    for (size_t j = 0; j < others; j++) {
        bool known = false;
        for (size_t i = 0; i < count && !known; i++) {
            if (contradict(at[i], other[j]))
                return formula_false();
            known = same(at[i], other[j]);
        }
        if (!known)
            vec_push(arena, &parts, other[j]);
    }
    return formula_and(arena, parts.at, parts.count);
}

/* Adds numerator / denominator under the guard. */
static void case_add(struct arena *arena, case_list *cases, const struct formula *guard,
                     const struct poly *numerator, const struct poly *denominator)
{
    if (guard->kind == FORMULA_FALSE)
        return;
    const struct poly *quotient =
        numerator && denominator ? poly_divide_exact(numerator, denominator) : NULL;
    if (quotient) {
        numerator = quotient;
        denominator = NULL;
    }
    vec_push(arena, cases, ((struct fraction_case){guard, numerator, denominator}));
}

/* A product of denominators (NULL: 1). False if its degree is too high. */
static bool denominators(const struct poly *b, const struct poly *d, const struct poly **product)
{
    *product = b && d ? poly_mul(b, d) : b ? b : d;
    return !b || !d || (*product && poly_total_degree(*product) <= DENOMINATOR_LIMIT);
}

/* a / b + c / d, with the lesser common denominator where one divides the other. */
static bool sum_add(struct arena *arena, case_list *cases, const struct formula *guard,
                    const struct fraction_case *x, const struct fraction_case *y)
{
    const struct poly *a = x->numerator, *b = x->denominator, *c = y->numerator,
                      *d = y->denominator, *k, *common;
    if (!b && !d)
        case_add(arena, cases, guard, poly_add(a, c), NULL);
    else if (!d || (b && (k = poly_divide_exact(b, d))))
        case_add(arena, cases, guard, poly_add(a, poly_mul(c, d ? k : b)), b);
    else if (!b || (k = poly_divide_exact(d, b)))
        case_add(arena, cases, guard, poly_add(poly_mul(a, b ? k : d), c), d);
    else if (denominators(b, d, &common))
        case_add(arena, cases, guard, poly_add(poly_mul(a, d), poly_mul(c, b)), common);
    else
        return false;
    return true;
}

static bool product_add(struct arena *arena, case_list *cases, const struct formula *guard,
                        const struct fraction_case *x, const struct fraction_case *y)
{
    const struct poly *common;
    if (!denominators(x->denominator, y->denominator, &common))
        return false;
    case_add(arena, cases, guard, poly_mul(x->numerator, y->numerator), common);
    return true;
}

typedef bool (*case_operation)(struct arena *arena, case_list *cases, const struct formula *guard,
                               const struct fraction_case *x, const struct fraction_case *y);

static const struct fraction *combine(struct arena *arena, case_operation operation,
                                      const struct fraction *a, const struct fraction *b)
{
    case_list cases = {0};
    if (a->count * b->count > CASE_LIMIT)
        return NULL;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            if (!operation(arena, &cases, both(arena, a->at[i].guard, b->at[j].guard), &a->at[i],
                           &b->at[j]))
                return NULL;
    return fraction_of(arena, &cases);
}

const struct fraction *fraction_add(struct arena *arena, const struct fraction *a,
                                    const struct fraction *b)
{
    return combine(arena, sum_add, a, b);
}

const struct fraction *fraction_mul(struct arena *arena, const struct fraction *a,
                                    const struct fraction *b)
{
    return combine(arena, product_add, a, b);
}

const struct fraction *fraction_neg(struct arena *arena, const struct fraction *a)
{
    case_list cases = {0};
    for (size_t i = 0; i < a->count; i++)
        case_add(arena, &cases, a->at[i].guard, poly_neg(a->at[i].numerator), a->at[i].denominator);
    return fraction_of(arena, &cases);
}

/* p^exponent; NULL, beyond the limits, if it may have too many terms to be multiplied out in a
   moment. */
static const struct poly *power(const struct poly *p, unsigned exponent)
{
    enum { TERM_LIMIT = 1 << 15 };
    double terms = 1;
    for (size_t k = 1; p && k < poly_terms(p) && terms <= TERM_LIMIT; k++)
        terms *= (double)(exponent + k) / (double)k;
    return terms <= TERM_LIMIT ? poly_power(p, exponent) : NULL;
}

const struct fraction *fraction_power(struct arena *arena, const struct fraction *a,
                                      unsigned exponent)
{
    case_list cases = {0};
    for (size_t i = 0; i < a->count; i++) {
        const struct poly *denominator =
            a->at[i].denominator ? power(a->at[i].denominator, exponent) : NULL;
        if (a->at[i].denominator &&
            (!denominator || poly_total_degree(denominator) > DENOMINATOR_LIMIT))
            return NULL;
        case_add(arena, &cases, a->at[i].guard, power(a->at[i].numerator, exponent), denominator);
    }
    return fraction_of(arena, &cases);
}

const struct fraction *fraction_ite(struct arena *arena, const struct formula *condition,
                                    const struct fraction *a, const struct fraction *b)
{
    case_list cases = {0};
    if (condition->kind == FORMULA_TRUE || condition->kind == FORMULA_FALSE)
        return condition->kind == FORMULA_TRUE ? a : b;
    if (a->count + b->count > CASE_LIMIT)
        return NULL;
    for (size_t i = 0; i < a->count; i++)
        case_add(arena, &cases, both(arena, condition, a->at[i].guard), a->at[i].numerator,
                 a->at[i].denominator);
    const struct formula *otherwise = formula_not(arena, condition);
    for (size_t i = 0; i < b->count; i++)
        case_add(arena, &cases, both(arena, otherwise, b->at[i].guard), b->at[i].numerator,
                 b->at[i].denominator);
    return fraction_of(arena, &cases);
}

bool fraction_may_vanish(const struct fraction *a)
{
    for (size_t i = 0; i < a->count; i++)
        if (!a->at[i].numerator || !poly_is_constant(a->at[i].numerator) ||
            poly_is_zero(a->at[i].numerator))
            return true;
    return false;
}

static const struct formula *zero_test(struct arena *arena, const struct poly *p,
                                       enum relation relation)
{
    return formula_atom(arena, (struct constraint){p, relation});
}

/* x / y under the guard, where the numerator of y is not zero. */
static bool quotient_add(struct arena *arena, case_list *cases, const struct formula *guard,
                         const struct fraction_case *x, const struct fraction_case *y)
{
    const struct poly *numerator =
        y->denominator ? poly_mul(x->numerator, y->denominator) : x->numerator;
    const struct poly *denominator;
    if (!denominators(x->denominator, y->numerator, &denominator))
        return false;
    guard = both(arena, guard, zero_test(arena, y->numerator, RELATION_NE));
    case_add(arena, cases, guard, numerator, denominator);
    return true;
}

const struct fraction *fraction_div(struct arena *arena, const struct fraction *a,
                                    const struct fraction *b, const struct poly *at_zero)
{
    case_list cases = {0};
    if (a->count * b->count > CASE_LIMIT || !fraction_fits(b))
        return NULL;
    for (size_t j = 0; j < b->count; j++) {
        const struct fraction_case *y = &b->at[j];
        for (size_t i = 0; i < a->count && !poly_is_zero(y->numerator); i++)
            if (!quotient_add(arena, &cases, both(arena, a->at[i].guard, y->guard), &a->at[i], y))
                return NULL;
        case_add(arena, &cases, both(arena, y->guard, zero_test(arena, y->numerator, RELATION_EQ)),
                 at_zero, NULL);
    }
    return fraction_of(arena, &cases);
}

static const struct formula *case_compare(struct arena *arena, const struct fraction_case *x,
                                          enum relation relation)
{
    return x->denominator ? guard_fraction(arena, x->numerator, x->denominator, relation)
                          : zero_test(arena, x->numerator, relation);
}

const struct formula *fraction_compare(struct arena *arena, const struct fraction *a,
                                       enum relation relation)
{
    const struct formula **cases = ARENA_ARRAY(arena, const struct formula *, a->count);
    for (size_t i = 0; i < a->count; i++)
        cases[i] = both(arena, a->at[i].guard, case_compare(arena, &a->at[i], relation));
    return formula_or(arena, cases, a->count);
}

const struct formula *fraction_definition(struct arena *arena, const struct fraction *a,
                                          int variable)
{
    const struct formula **cases = ARENA_ARRAY(arena, const struct formula *, a->count);
    const struct poly *value = poly_variable(poly_ring(a->at[0].numerator), variable);
    for (size_t i = 0; i < a->count; i++) {
        const struct poly *scaled =
            a->at[i].denominator ? poly_mul(a->at[i].denominator, value) : value;
        const struct formula *is =
            formula_atom(arena, constraint_make(scaled, RELATION_EQ, a->at[i].numerator));
        cases[i] = formula_implies(arena, a->at[i].guard, is);
    }
    return formula_and(arena, cases, a->count);
}

bool fraction_fits(const struct fraction *a)
{
    for (size_t i = 0; i < a->count; i++)
        if (!a->at[i].numerator)
            return false;
    return true;
}
