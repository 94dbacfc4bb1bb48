/* Facts and bounds. In: polynomials with a relation to zero; what is stored: primitive, without
   factors of known sign, bounds of single variables apart, nothing that the bounds alone decide, no
   two facts with the same polynomial. Each rule is an equivalence under the other facts, so a
   state's solutions stay what they were; each adds the origins of what it used. Bounds of a
   variable with lo = hi turn it into a value. */
#include "base/vec.h"
#include "constraints/front/question.h"

static bool contradiction(struct question *q, const uint64_t *a, const uint64_t *b)
{
    if (q->broken)
        return true;
    q->conflict = origins_union(q, a, b);
    return false;
}

bool state_bound(struct question *q, struct state *state, int v, bool upper, struct bound bound)
{
    const struct bound **side = upper ? state->hi : state->lo;
    if (side[v]) {
        int order = fmpq_cmp(bound.value, side[v]->value) * (upper ? -1 : 1);
        if (order < 0 || (order == 0 && (side[v]->strict || !bound.strict)))
            return true;
    }
    struct bound *kept = ARENA_NEW(q->arena, struct bound);
    *kept = bound;
    side[v] = kept;
    state->changed |= 1ull << v;
    if (!state->lo[v] || !state->hi[v])
        return true;
    int order = fmpq_cmp(state->lo[v]->value, state->hi[v]->value);
    if (order > 0 || (order == 0 && (state->lo[v]->strict || state->hi[v]->strict)))
        return contradiction(q, state->lo[v]->origins, state->hi[v]->origins);
    return true;
}

/* a x + b >= 0 or > 0 */
static bool bound_add(struct question *q, struct state *state, const fmpz_mpoly_struct *p, int v,
                      bool strict, const uint64_t *origins)
{
    fmpq *value = rational_new(q);
    fmpz_t a;
    fmpz_init_set(a, p->coeffs);
    if (p->length > 1)
        fmpz_neg(fmpq_numref(value), p->coeffs + 1);
    fmpz_set(fmpq_denref(value), a);
    fmpq_canonicalise(value);
    bool upper = fmpz_sgn(a) < 0;
    fmpz_clear(a);
    return state_bound(q, state, v, upper, (struct bound){value, strict, origins});
}

static fmpz_mpoly_struct *variable_power(struct question *q, int v, ulong exponent)
{
    fmpz_mpoly_struct *power = mpoly_new(q);
    fmpz_mpoly_gen(power, v, q->ctx);
    fmpz_mpoly_pow_ui(power, power, exponent, q->ctx);
    return power;
}

/* A fact in the making. */
struct draft {
    fmpz_mpoly_struct *p;
    enum fact_relation relation;
    const uint64_t *origins;
};

/* Takes the factor x^k out of p where the sign of x allows it: x positive or negative; or not
   negative and p > 0 or p != 0, which then asks for x > 0. False on contradiction. */
static bool factor_take(struct question *q, struct state *state, struct draft *draft, int v,
                        ulong exponent)
{
    const uint64_t *used;
    fmpz_mpoly_struct *x = variable_power(q, v, 1);
    unsigned signs = sign_of(q, state, x, &used);
    if ((signs & SIGN_NEGATIVE) && (signs & SIGN_POSITIVE))
        return true;
    bool strict = draft->relation == FACT_GT || draft->relation == FACT_NE;
    if ((signs & SIGN_ZERO) && !strict)
        return true;
    draft->origins = origins_union(q, draft->origins, used);
    fmpz_mpoly_divides(draft->p, draft->p, variable_power(q, v, exponent), q->ctx);
    bool negative = signs & SIGN_NEGATIVE;
    if (negative && (exponent & 1))
        fmpz_mpoly_neg(draft->p, draft->p, q->ctx);
    if (!(signs & SIGN_ZERO))
        return true;
    return state_bound(q, state, v, negative,
                       (struct bound){rational_new(q), true, draft->origins});
}

/* Positive content and variables of known sign out of p. */
static bool content_take(struct question *q, struct state *state, struct draft *draft)
{
    fmpz_mpoly_struct *p = draft->p;
    if (fmpz_mpoly_is_zero(p, q->ctx))
        return true;
    fmpz_t content;
    fmpz_init(content);
    _fmpz_vec_content(content, p->coeffs, p->length);
    if (!fmpz_is_one(content))
        fmpz_mpoly_scalar_divexact_fmpz(p, p, content, q->ctx);
    fmpz_clear(content);
    if (fmpz_mpoly_is_fmpz(p, q->ctx))
        return true;
    ulong least[RING_CAPACITY], exponents[RING_CAPACITY];
    mpoly_exponents(least, p, 0, q->ctx);
    for (slong i = 1; i < p->length; i++) {
        mpoly_exponents(exponents, p, i, q->ctx);
        for (int v = 0; v < q->variables; v++)
            least[v] = exponents[v] < least[v] ? exponents[v] : least[v];
    }
    bool single = p->length == 1 && mpoly_total_degree(p, q->ctx) == 1;
    for (int v = 0; v < q->variables && !single; v++)
        if (least[v] && !factor_take(q, state, draft, v, least[v]))
            return false;
    return true;
}

/* The signs a relation allows its polynomial. */
static const unsigned allowed[] = {
    [FACT_EQ] = SIGN_ZERO, [FACT_NE] = SIGN_NEGATIVE | SIGN_POSITIVE,
    [FACT_GE] = SIGN_ZERO | SIGN_POSITIVE, [FACT_GT] = SIGN_POSITIVE,
};

/* p has the given signs, written as p or -p relation 0; p may be negated. */
static enum fact_relation signs_relation(struct question *q, fmpz_mpoly_struct *p, unsigned signs)
{
    if (signs == SIGN_NEGATIVE || signs == (SIGN_NEGATIVE | SIGN_ZERO)) {
        fmpz_mpoly_neg(p, p, q->ctx);
        signs = signs_turn(signs);
    }
    for (enum fact_relation relation = FACT_EQ; relation < FACT_GT; relation++)
        if (allowed[relation] == signs)
            return relation;
    return FACT_GT;
}

/* Joins the new fact with one about the same polynomial or its negation. 1 nothing to store, 0 to
   be stored (perhaps sharper than before), -1 contradiction. */
static int fact_merge(struct question *q, struct state *state, fmpz_mpoly_struct *p,
                      enum fact_relation *relation, const uint64_t **origins)
{
    fmpz_mpoly_t negated;
    fmpz_mpoly_init(negated, q->ctx);
    fmpz_mpoly_neg(negated, p, q->ctx);
    int outcome = 0;
    for (size_t i = 0; i < state->count; i++) {
        const struct fact *fact = state->facts[i];
        bool same = fmpz_mpoly_equal(fact->p, p, q->ctx);
        if (!same && !fmpz_mpoly_equal(fact->p, negated, q->ctx))
            continue;
        unsigned old = same ? allowed[fact->relation] : signs_turn(allowed[fact->relation]);
        unsigned joined = old & allowed[*relation];
        if (!joined) {
            outcome = contradiction(q, fact->origins, *origins) ? 1 : -1;
            break;
        }
        if (joined == old) {
            outcome = 1;
            break;
        }
        if (joined != allowed[*relation])
            *origins = origins_union(q, *origins, fact->origins);
        *relation = signs_relation(q, p, joined);
        state->facts[i] = state->facts[--state->count];
        break;
    }
    fmpz_mpoly_clear(negated, q->ctx);
    return outcome;
}

static void fact_push(struct question *q, struct state *state, const struct fact *fact)
{
    if (state->count == state->capacity)
        state->facts = vec_reserve(q->arena, state->facts, state->count, &state->capacity,
                                   sizeof *state->facts);
    state->facts[state->count++] = fact;
}

static bool fact_store(struct question *q, struct state *state, fmpz_mpoly_struct *p,
                       enum fact_relation relation, const uint64_t *origins)
{
    int merged = fact_merge(q, state, p, &relation, &origins);
    if (merged)
        return merged > 0;
    struct fact *fact = ARENA_NEW(q->arena, struct fact);
    uint16_t *degrees = ARENA_ARRAY(q->arena, uint16_t, q->variables + 1);
    slong wide[RING_CAPACITY];
    *fact =
        (struct fact){p, relation, origins,
                      0, degrees,  ARENA_ARRAY(q->arena, const struct linear *, q->variables + 1)};
    fmpz_mpoly_degrees_si(wide, p, q->ctx);
    for (int v = 0; v < q->variables; v++) {
        degrees[v] = (uint16_t)wide[v];
        fact->variables |= wide[v] > 0 ? 1ull << v : 0;
    }
    fact_push(q, state, fact);
    return true;
}

/* What the possible signs leave of a relation. */
enum outcome { OUTCOME_TRUE, OUTCOME_FALSE, OUTCOME_OPEN };

static enum outcome relation_judge(enum fact_relation *relation, unsigned signs)
{
    unsigned left = signs & allowed[*relation];
    if (!left)
        return OUTCOME_FALSE;
    if (left == signs)
        return OUTCOME_TRUE;
    if (left == SIGN_ZERO)
        *relation = FACT_EQ;
    else if (left == SIGN_POSITIVE)
        *relation = FACT_GT;
    return OUTCOME_OPEN;
}

/* a x + b = 0: both bounds; the value is put in when the state is settled. */
static bool point_add(struct question *q, struct state *state, fmpz_mpoly_struct *p, int v,
                      const uint64_t *origins)
{
    if (!bound_add(q, state, p, v, false, origins))
        return false;
    fmpz_mpoly_neg(p, p, q->ctx);
    return bound_add(q, state, p, v, false, origins);
}

bool state_add(struct question *q, struct state *state, fmpz_mpoly_struct *p,
               enum fact_relation relation, const uint64_t *origins)
{
    if (!question_spend(q, p))
        return true;
    struct draft draft = {p, relation, origins};
    if (!content_take(q, state, &draft))
        return false;
    origins = draft.origins;
    const uint64_t *used;
    unsigned signs = sign_of(q, state, p, &used);
    if (q->broken)
        return true;
    enum fact_relation sharper = relation;
    switch (relation_judge(&sharper, signs)) {
    case OUTCOME_TRUE: return true;
    case OUTCOME_FALSE: return contradiction(q, origins, used);
    case OUTCOME_OPEN: break;
    }
    if (sharper != relation)
        origins = origins_union(q, origins, used);
    int v = mpoly_univariate(q, p);
    if (v >= 0 && mpoly_degree(q, p, v) == 1 && sharper != FACT_NE)
        return sharper == FACT_EQ ? point_add(q, state, p, v, origins)
                                  : bound_add(q, state, p, v, sharper == FACT_GT, origins);
    return fact_store(q, state, p, sharper, origins);
}

/* The bounds of a variable that is about to be replaced, as facts about its replacement. */
static bool bounds_release(struct question *q, struct state *state, int v,
                           const fmpz_mpoly_struct *num, const fmpz_mpoly_struct *den,
                           const uint64_t *origins)
{
    const struct bound *sides[2] = {state->lo[v], state->hi[v]};
    state->lo[v] = state->hi[v] = NULL;
    for (int upper = 0; upper < 2; upper++) {
        if (!sides[upper])
            continue;
        fmpz_mpoly_struct *d = mpoly_constant(q, fmpq_denref(sides[upper]->value));
        fmpz_mpoly_struct *n = mpoly_constant(q, fmpq_numref(sides[upper]->value));
        fmpz_mpoly_struct *p = mpoly_cross(q, num, d, den, n);
        if (upper)
            fmpz_mpoly_neg(p, p, q->ctx);
        if (!state_add(q, state, p, sides[upper]->strict ? FACT_GT : FACT_GE,
                       origins_union(q, origins, sides[upper]->origins)))
            return false;
    }
    return true;
}

static void step_record(struct question *q, struct state *state, int v,
                        const fmpz_mpoly_struct *num, const fmpz_mpoly_struct *den)
{
    struct step *step = ARENA_NEW(q->arena, struct step);
    *step =
        (struct step){.older = state->trail, .variable = v, .numerator = num, .denominator = den};
    state->trail = step;
    state->gone[v] = true;
}

bool state_substitute(struct question *q, struct state *state, int variable,
                      const fmpz_mpoly_struct *num, const fmpz_mpoly_struct *den,
                      const uint64_t *origins)
{
    const struct fact **facts = state->facts;
    size_t count = state->count;
    state->facts = NULL;
    state->count = state->capacity = 0;
    step_record(q, state, variable, num, den);
    if (!bounds_release(q, state, variable, num, den, origins))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct fact *fact = facts[i];
        fmpz_mpoly_struct *p = mpoly_substitute(q, fact->p, variable, num, den);
        bool touched = fact->degrees[variable] > 0;
        if (!state_add(q, state, p, fact->relation,
                       touched ? origins_union(q, fact->origins, origins) : fact->origins))
            return false;
    }
    return true;
}

/* Puts in the value of a variable whose bounds meet; 1 done, 0 nothing to do, -1 contradiction. */
static int value_put(struct question *q, struct state *state)
{
    for (int v = 0; v < q->variables; v++) {
        const struct bound *lo = state->lo[v], *hi = state->hi[v];
        if (!lo || !hi || state->gone[v] || !fmpq_equal(lo->value, hi->value))
            continue;
        const uint64_t *origins = origins_union(q, lo->origins, hi->origins);
        state->lo[v] = state->hi[v] = NULL;
        return state_substitute(q, state, v, mpoly_constant(q, fmpq_numref(lo->value)),
                                mpoly_constant(q, fmpq_denref(lo->value)), origins)
                   ? 1
                   : -1;
    }
    return 0;
}

bool state_settle(struct question *q, struct state *state)
{
    for (int put = 1; (put || state->changed) && !q->broken;) {
        put = value_put(q, state);
        if (put < 0)
            return false;
        if (put || !state->changed)
            continue;
        uint64_t changed = state->changed;
        state->changed = 0;
        const struct fact **facts = state->facts;
        size_t count = state->count;
        state->facts = NULL;
        state->count = state->capacity = 0;
        for (size_t i = 0; i < count; i++) {
            if (!(facts[i]->variables & changed)) {
                fact_push(q, state, facts[i]);
                continue;
            }
            fmpz_mpoly_struct *p = mpoly_new(q);
            fmpz_mpoly_set(p, facts[i]->p, q->ctx);
            if (!state_add(q, state, p, facts[i]->relation, facts[i]->origins))
                return false;
        }
    }
    return true;
}
