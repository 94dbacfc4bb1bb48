/* In: facts about integer parameters, polynomials p >= 0. Out: a context, that is the facts with
   the lower bounds of single variables that follow from them (x >= 3 from x - q*s*B - 2 >= 0 with
   q, s, B >= 1; q >= 1 from s*q - 1 >= 0), and a pool of integer points that satisfy them all.

   Floors are parameters of their own: q = a / b gives q*b <= a <= q*b + b - 1 as soon as a >= 0 (or
   q >= 1, which has the same effect under C's truncation) and b >= 1 are certain; before that
   nothing is known of q.

   Invariant: every point satisfies every fact and bound, and its floors have the values of
   their definitions. */
#include "ir/access/context.h"
#include <string.h>

enum { POOL_TRIES = 1500, ROUNDS = 3 };

struct context *context_new(struct arena *arena, struct ring *ring, struct presburger *presburger,
                            const struct floors *floors)
{
    struct context *context = ARENA_NEW(arena, struct context);
    context->arena = arena;
    context->ring = ring;
    context->presburger = presburger;
    context->floors = floors;
    context->points = arena_alloc(arena, POOL_POINTS * sizeof *context->points);
    return context;
}

struct context *context_extend(const struct context *base)
{
    struct context *context = context_new(base->arena, base->ring, base->presburger, base->floors);
    for (size_t i = 0; i < base->facts.count; i++) {
        vec_push(context->arena, &context->facts, base->facts.at[i]);
        vec_push(context->arena, &context->flats, base->flats.at[i]);
    }
    for (size_t i = 0; i < base->shifted.count; i++)
        vec_push(context->arena, &context->shifted, base->shifted.at[i]);
    for (size_t i = 0; i < base->memo.count; i++)
        vec_push(context->arena, &context->memo, base->memo.at[i]);
    memcpy(context->has_lo, base->has_lo, sizeof context->has_lo);
    memcpy(context->lo, base->lo, sizeof context->lo);
    context->n_settled = base->n_settled;
    context->filled = base->filled;
    context->n_points = base->n_points;
    memcpy(context->points, base->points, base->n_points * sizeof *base->points);
    return context;
}

/* A proof stays one under more facts; a refutation or an open answer may not. */
static void memo_forget(struct context *context)
{
    size_t kept = 0;
    for (size_t i = 0; i < context->memo.count; i++)
        if (context->memo.at[i].truth == TRUTH_YES)
            context->memo.at[kept++] = context->memo.at[i];
    context->memo.count = kept;
}

static bool fact_refutes(const struct context *context, size_t fact, const int64_t *point)
{
    int64_t value;
    return !flat_evaluate(&context->flats.at[fact], point, &value) || value < 0;
}

/* Does the point satisfy all bounds, and the facts from number `first` on? The fact that
   refuted the last point refutes most others, so it is asked first. */
static bool point_holds(struct context *context, const int64_t *point, size_t first)
{
    size_t likely = context->refuting;
    for (int v = 0; v < ring_count(context->ring); v++)
        if (context->has_lo[v] && point[v] < context->lo[v])
            return false;
    if (likely >= first && likely < context->facts.count && fact_refutes(context, likely, point))
        return false;
    for (size_t i = first; i < context->facts.count; i++)
        if (i != likely && fact_refutes(context, i, point)) {
            context->refuting = i;
            return false;
        }
    return true;
}

/* Drops the points that do not satisfy the bounds or the facts from number `first` on. */
static void points_filter(struct context *context, size_t first)
{
    size_t kept = 0;
    for (size_t i = 0; i < context->n_points; i++)
        if (point_holds(context, context->points[i], first))
            memmove(context->points[kept++], context->points[i], sizeof *context->points);
    context->n_points = kept;
    if (kept < POOL_POINTS / 4)
        context->filled = false;
}

/* Is the monomial >= 0 by the lower bounds? */
static bool monomial_nonnegative(const struct context *context, const unsigned *exponents)
{
    for (int v = 0; v < ring_count(context->ring); v++)
        if (exponents[v] && !(context->has_lo[v] && context->lo[v] >= 0))
            return false;
    return true;
}

static bool is_unit(const struct context *context, const unsigned *exponents)
{
    for (int v = 0; v < ring_count(context->ring); v++)
        if (exponents[v])
            return false;
    return true;
}

static bool raise(struct context *context, int variable, int64_t lo)
{
    if (context->has_lo[variable] && context->lo[variable] >= lo)
        return false;
    context->has_lo[variable] = true;
    context->lo[variable] = lo;
    context->shifted.count = 0;
    context->n_settled = 0;
    return true;
}

/* p = x - r with r's coefficients non-negative on variables >= 0: x >= the value of r at the
   lower bounds. */
static bool bound_single(struct context *context, const struct poly *p, int variable)
{
    if (poly_degree(p, variable) != 1)
        return false;
    int64_t one, value, n, d;
    if (!poly_get_integer(poly_coefficient(p, variable, 1), &one) || one != 1)
        return false;
    const struct poly *rest = poly_neg(poly_coefficient(p, variable, 0));
    for (size_t i = 0; i < poly_terms(rest); i++) {
        unsigned exponents[RING_CAPACITY];
        if (!poly_term(rest, i, &n, &d, exponents))
            return false;
        if (!is_unit(context, exponents) && (n < 0 || !monomial_nonnegative(context, exponents)))
            return false;
    }
    return poly_evaluate(rest, context->lo, &value) && raise(context, variable, value);
}

/* Is all of the monomial >= 0 by the lower bounds but for one variable at most, which
   stands alone? */
static bool monomial_one_open(const struct context *context, const unsigned *exponents)
{
    int open = 0;
    for (int v = 0; v < ring_count(context->ring); v++)
        if (exponents[v] && !(context->has_lo[v] && context->lo[v] >= 0))
            open += exponents[v] == 1 ? 1 : 2;
    return open <= 1;
}

/* c * monomial - k >= 0 with c, k >= 1 makes every variable of the monomial >= 1: all but one are
   not negative, and then that one is not either. */
static bool bound_product(struct context *context, const struct poly *p)
{
    int64_t n, d, constant = 0;
    unsigned exponents[RING_CAPACITY], product[RING_CAPACITY] = {0};
    int products = 0;
    for (size_t i = 0; i < poly_terms(p); i++) {
        if (!poly_term(p, i, &n, &d, exponents))
            return false;
        if (is_unit(context, exponents))
            constant = n;
        else if (n > 0 && monomial_one_open(context, exponents) && ++products == 1)
            memcpy(product, exponents, sizeof product);
        else
            return false;
    }
    bool changed = false;
    if (products == 1 && constant < 0)
        for (int v = 0; v < ring_count(context->ring); v++)
            if (product[v] && raise(context, v, 1))
                changed = true;
    return changed;
}

/* Takes the bounds that follow at once from the facts from number `first` on. */
static bool facts_bound(struct context *context, size_t first)
{
    bool changed = false;
    for (size_t i = first; i < context->facts.count; i++) {
        for (int v = 0; v < ring_count(context->ring); v++)
            if (poly_uses(context->facts.at[i], v) &&
                bound_single(context, context->facts.at[i], v))
                changed = true;
        if (bound_product(context, context->facts.at[i]))
            changed = true;
    }
    return changed;
}

/* The facts from number `fresh` on have not been held against the points. */
static void context_settle(struct context *context, size_t fresh)
{
    bool changed = facts_bound(context, context->n_settled);
    for (int round = 1; changed && round < ROUNDS; round++)
        changed = facts_bound(context, 0);
    if (!changed)
        context->n_settled = context->facts.count;
    memo_forget(context);
    points_filter(context, fresh);
}

void context_bound(struct context *context, int variable, int64_t lo)
{
    if (raise(context, variable, lo))
        context_settle(context, context->facts.count);
}

void context_fact(struct context *context, const struct poly *p)
{
    if (poly_is_constant(p))
        return;
    for (size_t i = 0; i < context->facts.count; i++)
        if (poly_equal(context->facts.at[i], p))
            return;
    vec_push(context->arena, &context->facts, p);
    vec_push(context->arena, &context->flats, flat_of(context->arena, p));
    context_settle(context, context->facts.count - 1);
}

void context_constraint(struct context *context, struct constraint c)
{
    const struct poly *one = poly_integer(context->ring, 1), *negative = poly_neg(c.poly);
    switch (c.relation) {
    case RELATION_EQ:
        context_fact(context, c.poly);
        context_fact(context, negative);
        break;
    case RELATION_LT: context_fact(context, poly_sub(negative, one)); break;
    case RELATION_LE: context_fact(context, negative); break;
    case RELATION_GT: context_fact(context, poly_sub(c.poly, one)); break;
    case RELATION_GE: context_fact(context, c.poly); break;
    case RELATION_NE: break;
    }
}

void context_floors(struct context *context)
{
    const struct poly *one = poly_integer(context->ring, 1);
    for (size_t i = 0; i < context->floors->list.count; i++) {
        const struct floor_param *f = &context->floors->list.at[i];
        const struct poly *q = poly_variable(context->ring, f->variable);
        bool positive = context->has_lo[f->variable] && context->lo[f->variable] >= 1;
        if (!context_positive(context, f->denominator) ||
            (!positive && !context_nonnegative(context, f->numerator)))
            continue;
        const struct poly *rest = poly_sub(f->numerator, poly_mul(q, f->denominator));
        context_bound(context, f->variable, 0);
        context_fact(context, rest);
        context_fact(context, poly_sub(poly_sub(f->denominator, rest), one));
    }
}

/* Small values mostly, large ones now and then: sizes must exceed products of extents for quotients
   to be >= 1. */
static int64_t sample(uint64_t *state, int64_t lo)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    uint64_t r = *state >> 33;
    static const int64_t span[8] = {1, 2, 2, 3, 5, 12, 60, 300};
    return lo + (int64_t)((r >> 3) % (uint64_t)span[r & 7]);
}

static bool point_make(struct context *context, uint64_t *state, int64_t *point)
{
    for (int v = 0; v < ring_count(context->ring); v++)
        point[v] = sample(state, context->has_lo[v] ? context->lo[v] : -2);
    for (size_t i = 0; i < context->floors->list.count; i++) {
        const struct floor_param *f = &context->floors->list.at[i];
        int64_t n, d;
        if (!flat_evaluate(&f->flat_numerator, point, &n) ||
            !flat_evaluate(&f->flat_denominator, point, &d) || d == 0)
            return false;
        point[f->variable] = n / d;
    }
    return point_holds(context, point, 0);
}

size_t context_points(const struct context *context)
{
    struct context *c = (struct context *)context;
    if (c->filled)
        return c->n_points;
    uint64_t state = 12345;
    for (int i = 0; i < POOL_TRIES && c->n_points < POOL_POINTS; i++) {
        int64_t point[RING_CAPACITY] = {0};
        if (point_make(c, &state, point))
            memcpy(c->points[c->n_points++], point, sizeof point);
    }
    c->filled = true;
    return c->n_points;
}
