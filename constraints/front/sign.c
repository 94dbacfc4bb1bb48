/* Signs from bounds. First the signs of the terms: if the bounds give all of them one sign, so has
   the polynomial. Else every variable with a bound is counted from it (x = lo + x', or x = hi -
   x'), so that the new one is not negative; if then all coefficients have one sign, so has the
   polynomial. This is the sign rule on the positive orthant of spec C-21 (a). Failing that, a fact
   about the same polynomial may say it. Cheap tests come before the shift: a term that divides no
   other keeps its coefficient under it, and the constant term becomes the value at the bounds, so
   two of these with opposite effect rule out an answer. */
#include "constraints/front/question.h"

/* The bound a variable is counted from; its lower one if it has both. */
static const struct bound *anchor(const struct state *state, int v)
{
    return state->lo[v] ? state->lo[v] : state->hi[v];
}

/* p = a x + b at x = x' + n or n - x': a x' + (a n + b), -a x' + (a n + b). */
static fmpz_mpoly_struct *shift_linear(struct question *q, const fmpz_mpoly_struct *p, int v,
                                       const fmpz *n, bool mirrored)
{
    fmpz_mpoly_struct *shifted = mpoly_new(q);
    if (!question_charge(q, 1 + (uint64_t)p->length))
        return shifted;
    fmpz_mpoly_t a;
    fmpz_mpoly_init(a, q->ctx);
    mpoly_take_coefficient(a, p, v, 1, q->ctx);
    if (mirrored) {
        fmpz_mpoly_t top;
        fmpz_mpoly_init(top, q->ctx);
        fmpz_mpoly_gen(top, v, q->ctx);
        fmpz_mpoly_mul(top, top, a, q->ctx);
        fmpz_mpoly_scalar_mul_si(top, top, 2, q->ctx);
        fmpz_mpoly_sub(shifted, p, top, q->ctx);
        fmpz_mpoly_clear(top, q->ctx);
    } else {
        fmpz_mpoly_set(shifted, p, q->ctx);
    }
    fmpz_mpoly_scalar_mul_fmpz(a, a, n, q->ctx);
    fmpz_mpoly_add(shifted, shifted, a, q->ctx);
    fmpz_mpoly_clear(a, q->ctx);
    return shifted;
}

/* p at x = (x' + n) / d or (n - x') / d for the bound n / d. */
static fmpz_mpoly_struct *shift_one(struct question *q, const struct state *state,
                                    const fmpz_mpoly_struct *p, int v)
{
    const struct bound *bound = anchor(state, v);
    bool below = state->lo[v] != NULL;
    if (below && fmpq_is_zero(bound->value))
        return (fmpz_mpoly_struct *)p;
    if (mpoly_degree(q, p, v) == 1 && fmpz_is_one(fmpq_denref(bound->value)))
        return shift_linear(q, p, v, fmpq_numref(bound->value), !below);
    fmpz_mpoly_t num, den;
    fmpz_mpoly_init(num, q->ctx);
    fmpz_mpoly_init(den, q->ctx);
    fmpz_mpoly_gen(num, v, q->ctx);
    if (!below)
        fmpz_mpoly_neg(num, num, q->ctx);
    fmpz_mpoly_add_fmpz(num, num, fmpq_numref(bound->value), q->ctx);
    fmpz_mpoly_set_fmpz(den, fmpq_denref(bound->value), q->ctx);
    fmpz_mpoly_struct *shifted = mpoly_substitute(q, p, v, num, den);
    fmpz_mpoly_clear(num, q->ctx);
    fmpz_mpoly_clear(den, q->ctx);
    return shifted;
}

fmpz_mpoly_struct *sign_shift(struct question *q, const struct state *state,
                              const fmpz_mpoly_struct *p, bool *unbounded, const uint64_t **origins)
{
    int used[RING_CAPACITY];
    mpoly_used(used, p, q->ctx);
    fmpz_mpoly_struct *shifted = (fmpz_mpoly_struct *)p;
    for (int v = 0; v < q->variables; v++) {
        unbounded[v] = !anchor(state, v);
        if (!used[v] || unbounded[v])
            continue;
        shifted = shift_one(q, state, shifted, v);
        *origins = origins_union(q, *origins, anchor(state, v)->origins);
    }
    return shifted;
}

static bool divides(const struct question *q, const ulong *a, const ulong *b)
{
    for (int v = 0; v < q->variables; v++)
        if (a[v] > b[v])
            return false;
    return true;
}

/* The sign a term keeps for large values counted from the bounds: 0 if a variable without bound has
   an odd exponent. */
static int term_direction(const struct question *q, const struct state *state,
                          const fmpz *coefficient, const ulong *exponents)
{
    int sign = fmpz_sgn(coefficient);
    for (int v = 0; v < q->variables; v++) {
        if (!(exponents[v] & 1) || state->lo[v])
            continue;
        if (!state->hi[v])
            return 0;
        sign = -sign;
    }
    return sign;
}

/* The value that the constant term of the shifted polynomial has: 1, -1 its sign, 0 if that is zero
   or not known. */
static int anchor_sign(const struct question *q, const struct state *state,
                       const fmpz_mpoly_struct *p, ulong (*exponents)[RING_CAPACITY])
{
    int64_t sum = 0;
    for (slong i = 0; i < p->length; i++) {
        if (COEFF_IS_MPZ(p->coeffs[i]))
            return 0;
        int64_t term = p->coeffs[i];
        for (int v = 0; v < q->variables && term; v++) {
            if (!exponents[i][v])
                continue;
            const struct bound *bound = anchor(state, v);
            if (bound && (!fmpz_is_one(fmpq_denref(bound->value)) ||
                          COEFF_IS_MPZ(*fmpq_numref(bound->value))))
                return 0;
            int64_t value = bound ? *fmpq_numref(bound->value) : 0;
            for (ulong e = 0; e < exponents[i][v]; e++)
                if (__builtin_mul_overflow(term, value, &term))
                    return 0;
        }
        if (__builtin_add_overflow(sum, term, &sum))
            return 0;
    }
    return (sum > 0) - (sum < 0);
}

/* False if no shift can give all coefficients one sign. */
static bool sign_possible(struct question *q, const struct state *state, const fmpz_mpoly_struct *p,
                          ulong (*exponents)[RING_CAPACITY])
{
    int seen = anchor_sign(q, state, p, exponents);
    for (slong i = 0; i < p->length; i++) {
        int direction = term_direction(q, state, p->coeffs + i, exponents[i]);
        if (direction && direction == seen)
            continue;
        bool maximal = true;
        for (slong j = 0; maximal && j < p->length; j++)
            maximal = i == j || !divides(q, exponents[i], exponents[j]);
        if (!maximal)
            continue;
        if (!direction || seen == -direction)
            return false;
        seen = direction;
    }
    return true;
}

/* The signs that its bounds leave a variable; *from: the bound that says so. */
static unsigned variable_signs(const struct state *state, int v, const struct bound **from)
{
    const struct bound *lo = state->lo[v], *hi = state->hi[v];
    int low = lo ? fmpq_sgn(lo->value) : -1, high = hi ? fmpq_sgn(hi->value) : 1;
    *from = low >= 0 ? lo : high <= 0 ? hi : NULL;
    if (low >= 0)
        return low > 0 || lo->strict ? SIGN_POSITIVE : SIGN_POSITIVE | SIGN_ZERO;
    if (high <= 0)
        return high < 0 || hi->strict ? SIGN_NEGATIVE : SIGN_NEGATIVE | SIGN_ZERO;
    return SIGN_ANY;
}

unsigned signs_turn(unsigned signs)
{
    return (signs & SIGN_ZERO) | (signs & SIGN_NEGATIVE ? SIGN_POSITIVE : 0) |
           (signs & SIGN_POSITIVE ? SIGN_NEGATIVE : 0);
}

/* The signs of a term by the signs of its variables. */
static unsigned term_signs(struct question *q, const struct state *state, const fmpz *coefficient,
                           const ulong *exponents, const uint64_t **origins)
{
    unsigned signs = fmpz_sgn(coefficient) > 0 ? SIGN_POSITIVE : SIGN_NEGATIVE;
    for (int v = 0; v < q->variables; v++) {
        if (!exponents[v])
            continue;
        const struct bound *from;
        unsigned own = variable_signs(state, v, &from);
        bool odd = exponents[v] & 1;
        if (own == SIGN_ANY && odd)
            return SIGN_ANY;
        if (odd && (own & SIGN_NEGATIVE))
            signs = signs_turn(signs);
        if (own & SIGN_ZERO)
            signs |= SIGN_ZERO;
        if (from && (odd || !(own & SIGN_ZERO)))
            *origins = origins_union(q, *origins, from->origins);
    }
    return signs;
}

/* The signs of a sum of terms by the signs of the terms. */
static unsigned sign_by_terms(struct question *q, const struct state *state,
                              const fmpz_mpoly_struct *p, ulong (*exponents)[RING_CAPACITY],
                              const uint64_t **origins)
{
    unsigned signs = SIGN_ZERO;
    for (slong i = 0; i < p->length; i++) {
        unsigned term = term_signs(q, state, p->coeffs + i, exponents[i], origins);
        bool sure = !(signs & SIGN_ZERO) || !(term & SIGN_ZERO);
        signs |= term;
        if ((signs & SIGN_POSITIVE) && (signs & SIGN_NEGATIVE))
            return SIGN_ANY;
        signs = sure ? signs & ~(unsigned)SIGN_ZERO : signs;
    }
    return signs;
}

/* Is every variable of the term strictly beyond its bound? */
static bool term_strict(const struct question *q, const struct state *state, const ulong *exponents)
{
    for (int v = 0; v < q->variables; v++)
        if (exponents[v] && !(anchor(state, v) && anchor(state, v)->strict))
            return false;
    return true;
}

static unsigned sign_by_shift(struct question *q, const struct state *state,
                              const fmpz_mpoly_struct *p, const uint64_t **origins)
{
    bool unbounded[RING_CAPACITY];
    *origins = NULL;
    const fmpz_mpoly_struct *shifted = sign_shift(q, state, p, unbounded, origins);
    if (q->broken)
        return SIGN_ANY;
    unsigned signs = SIGN_ZERO;
    for (slong i = 0; i < shifted->length; i++) {
        ulong exponents[RING_CAPACITY];
        mpoly_exponents(exponents, shifted, i, q->ctx);
        for (int v = 0; v < q->variables; v++)
            if (unbounded[v] && (exponents[v] & 1))
                return SIGN_ANY;
        signs |= fmpz_sgn(shifted->coeffs + i) > 0 ? SIGN_POSITIVE : SIGN_NEGATIVE;
        if (term_strict(q, state, exponents))
            signs &= ~(unsigned)SIGN_ZERO;
    }
    if ((signs & SIGN_POSITIVE) && (signs & SIGN_NEGATIVE))
        return SIGN_ANY;
    return signs;
}

enum { QUICK_TERMS = 16 };

static unsigned sign_by_bounds(struct question *q, const struct state *state,
                               const fmpz_mpoly_struct *p, const uint64_t **origins)
{
    *origins = NULL;
    if (fmpz_mpoly_is_zero(p, q->ctx))
        return SIGN_ZERO;
    if (p->length > QUICK_TERMS)
        return sign_by_shift(q, state, p, origins);
    ulong exponents[QUICK_TERMS][RING_CAPACITY];
    for (slong i = 0; i < p->length; i++)
        mpoly_exponents(exponents[i], p, i, q->ctx);
    unsigned signs = sign_by_terms(q, state, p, exponents, origins);
    if (signs != SIGN_ANY || p->length == 1 || !sign_possible(q, state, p, exponents))
        return signs;
    return sign_by_shift(q, state, p, origins);
}

/* A fact with the same polynomial up to sign; p without content. */
static unsigned sign_by_facts(struct question *q, const struct state *state,
                              const fmpz_mpoly_struct *p, const uint64_t **origins)
{
    fmpz_mpoly_t negated;
    fmpz_mpoly_init(negated, q->ctx);
    fmpz_mpoly_neg(negated, p, q->ctx);
    unsigned signs = SIGN_ANY;
    for (size_t i = 0; signs == SIGN_ANY && i < state->count; i++) {
        const struct fact *fact = state->facts[i];
        bool same = fmpz_mpoly_equal(fact->p, p, q->ctx);
        if (!same && !fmpz_mpoly_equal(fact->p, negated, q->ctx))
            continue;
        *origins = fact->origins;
        switch (fact->relation) {
        case FACT_EQ: signs = SIGN_ZERO; break;
        case FACT_NE: signs = SIGN_NEGATIVE | SIGN_POSITIVE; break;
        case FACT_GE: signs = SIGN_ZERO | (same ? SIGN_POSITIVE : SIGN_NEGATIVE); break;
        case FACT_GT: signs = same ? SIGN_POSITIVE : SIGN_NEGATIVE; break;
        }
    }
    fmpz_mpoly_clear(negated, q->ctx);
    return signs;
}

unsigned sign_of(struct question *q, const struct state *state, const fmpz_mpoly_struct *p,
                 const uint64_t **origins)
{
    unsigned signs = sign_by_bounds(q, state, p, origins);
    return signs == SIGN_ANY && state->count ? sign_by_facts(q, state, p, origins) : signs;
}
