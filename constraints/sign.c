/* Signs from bounds. Every variable with a bound is counted from it (x = lo + x', or x = hi - x'), so that the new one
   is not negative; if then all coefficients of a polynomial have one sign, so has the polynomial. This is the sign
   rule on the positive orthant of spec C-21 (a). Failing that, a fact about the same polynomial may say it. A cheap
   test comes first: a term that divides no other keeps its coefficient under such a shift, so two of them with
   opposite effect rule out an answer without any shifting. */
#include "constraints/question.h"

/* The bound a variable is counted from; its lower one if it has both. */
static const struct bound *anchor(const struct state *state, int v)
{
    return state->lo[v] ? state->lo[v] : state->hi[v];
}

/* p at x = (x' + n) / d or (n - x') / d for the bound n / d. */
static fmpz_mpoly_struct *shift_one(struct question *q, const struct state *state, const fmpz_mpoly_struct *p, int v)
{
    const struct bound *bound = anchor(state, v);
    bool below = state->lo[v] != NULL;
    if (below && fmpq_is_zero(bound->value))
        return (fmpz_mpoly_struct *)p;
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

fmpz_mpoly_struct *sign_shift(struct question *q, const struct state *state, const fmpz_mpoly_struct *p, bool *unbounded,
                              const uint64_t **origins)
{
    int used[RING_CAPACITY];
    fmpz_mpoly_used_vars(used, p, q->ctx);
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

/* The sign a term keeps for large values counted from the bounds: 0 if a variable without bound has an odd exponent. */
static int term_direction(const struct question *q, const struct state *state, const fmpz *coefficient, const ulong *exponents)
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

enum { QUICK_TERMS = 16 };

/* False if no shift can give all coefficients one sign. */
static bool sign_possible(struct question *q, const struct state *state, const fmpz_mpoly_struct *p)
{
    if (p->length > QUICK_TERMS)
        return true;
    ulong exponents[QUICK_TERMS][RING_CAPACITY];
    for (slong i = 0; i < p->length; i++)
        fmpz_mpoly_get_term_exp_ui(exponents[i], p, i, q->ctx);
    int seen = 0;
    for (slong i = 0; i < p->length; i++) {
        bool maximal = true;
        for (slong j = 0; maximal && j < p->length; j++)
            maximal = i == j || !divides(q, exponents[i], exponents[j]);
        if (!maximal)
            continue;
        int direction = term_direction(q, state, p->coeffs + i, exponents[i]);
        if (!direction || seen == -direction)
            return false;
        seen = direction;
    }
    return true;
}

/* Is every variable of the term strictly beyond its bound? */
static bool term_strict(const struct question *q, const struct state *state, const ulong *exponents)
{
    for (int v = 0; v < q->variables; v++)
        if (exponents[v] && !(anchor(state, v) && anchor(state, v)->strict))
            return false;
    return true;
}

static unsigned sign_by_bounds(struct question *q, const struct state *state, const fmpz_mpoly_struct *p,
                               const uint64_t **origins)
{
    *origins = NULL;
    if (fmpz_mpoly_is_zero(p, q->ctx))
        return SIGN_ZERO;
    if (!sign_possible(q, state, p))
        return SIGN_ANY;
    bool unbounded[RING_CAPACITY];
    const fmpz_mpoly_struct *shifted = sign_shift(q, state, p, unbounded, origins);
    if (q->broken)
        return SIGN_ANY;
    unsigned signs = SIGN_ZERO;
    for (slong i = 0; i < shifted->length; i++) {
        ulong exponents[RING_CAPACITY];
        fmpz_mpoly_get_term_exp_ui(exponents, shifted, i, q->ctx);
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

/* A fact with the same polynomial up to sign; p without content. */
static unsigned sign_by_facts(struct question *q, const struct state *state, const fmpz_mpoly_struct *p,
                              const uint64_t **origins)
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

unsigned sign_of(struct question *q, const struct state *state, const fmpz_mpoly_struct *p, const uint64_t **origins)
{
    unsigned signs = sign_by_bounds(q, state, p, origins);
    return signs == SIGN_ANY && state->count ? sign_by_facts(q, state, p, origins) : signs;
}
