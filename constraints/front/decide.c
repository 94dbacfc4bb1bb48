/* The order of the methods. In: a state; out: a verdict for it. What decides at once comes first:
   elimination, facts in one variable, interval propagation, linear programming over the monomials;
   then cases are distinguished by the sign of a polynomial, which keeps the answer exact: the state
   is empty if all cases are, and a case whose contradiction does not need its own assumption
   decides at once. Where nothing is left to distinguish, values are put in one variable at a time:
   that can only find points, unless a contradiction needs none of the values. What remains is
   SAS_UNKNOWN. Every assumption is one bit of the origin sets; it is taken out again when the cases
   are joined. */
#include "constraints/front/question.h"

enum { SPLIT_DEPTH = 7, SAMPLE_DEPTH = 8, SAMPLE_WIDTH = 7 };

/* Elimination and univariate learning until nothing changes; SAS_UNKNOWN: facts are left. */
static enum verdict state_reduce(struct question *q, struct state *state)
{
    do {
        if (!state_eliminate(q, state))
            return SAS_EMPTY;
        if (q->broken)
            return SAS_UNKNOWN;
        if (!state->count)
            return point_start(q, state) && point_extend(q, state) ? SAS_NONEMPTY : SAS_UNKNOWN;
        if (state_univariate(q, state) == SAS_EMPTY)
            return SAS_EMPTY;
    } while (state->changed && !q->broken);
    return SAS_UNKNOWN;
}

/* The fact that asks most for a distinction: an inequation, else none. */
static const fmpz_mpoly_struct *inequation(const struct state *state)
{
    for (size_t i = 0; i < state->count; i++)
        if (state->facts[i]->relation == FACT_NE)
            return state->facts[i]->p;
    return NULL;
}

/* A factor of a fact's polynomial that is a proper one, or a variable without bounds in it. */
static const fmpz_mpoly_struct *divisor(struct question *q, const struct state *state)
{
    const fmpz_mpoly_struct *found = NULL;
    for (size_t i = 0; !found && i < state->count; i++) {
        fmpz_mpoly_factor_t factors;
        fmpz_mpoly_factor_init(factors, q->ctx);
        if (state->facts[i]->p->length > 1 &&
            !question_spend_product(q, state->facts[i]->p, state->facts[i]->p))
            return NULL;
        bool split = fmpz_mpoly_factor(factors, state->facts[i]->p, q->ctx) &&
                     (factors->num > 1 || (factors->num == 1 && !fmpz_is_one(factors->exp)));
        if (split) {
            fmpz_mpoly_struct *p = mpoly_new(q);
            fmpz_mpoly_set(p, factors->poly, q->ctx);
            found = p;
        }
        fmpz_mpoly_factor_clear(factors, q->ctx);
    }
    return found;
}

static const fmpz_mpoly_struct *unbounded(struct question *q, const struct state *state)
{
    for (int v = 0; v < q->variables; v++) {
        if (state->gone[v] || state->lo[v] || state->hi[v])
            continue;
        for (size_t i = 0; i < state->count; i++)
            if (state->facts[i]->degrees[v] > 0) {
                fmpz_mpoly_struct *x = mpoly_new(q);
                fmpz_mpoly_gen(x, v, q->ctx);
                return x;
            }
    }
    return NULL;
}

static enum verdict state_search(struct question *q, struct state *state, bool exact);

/* Takes the factor p out of the facts, p being positive, negative (sign -1) or zero (0) by
   `origins`. */
static bool factor_out(struct question *q, struct state *state, const fmpz_mpoly_struct *p,
                       int sign, const uint64_t *origins)
{
    const struct fact **facts = state->facts;
    size_t count = state->count;
    state->facts = NULL;
    state->count = state->capacity = 0;
    for (size_t i = 0; i < count; i++) {
        const struct fact *fact = facts[i];
        fmpz_mpoly_struct *rest = mpoly_new(q);
        fmpz_mpoly_set(rest, fact->p, q->ctx);
        bool divided = fmpz_mpoly_divides(rest, fact->p, p, q->ctx);
        if (!divided)
            fmpz_mpoly_set(rest, fact->p, q->ctx);
        else if (sign <= 0)
            fmpz_mpoly_scalar_mul_si(rest, rest, sign, q->ctx);
        if (!state_add(q, state, rest, fact->relation,
                       divided ? origins_union(q, fact->origins, origins) : fact->origins))
            return false;
    }
    return true;
}

/* The state with p relation 0 assumed, sign -1 for -p; *backed: the contradiction does not need the
   assumption. */
static enum verdict case_decide(struct question *q, const struct state *state,
                                const fmpz_mpoly_struct *p, int sign, enum fact_relation relation,
                                bool *backed)
{
    struct state *child = state_copy(q, state);
    size_t bit = q->assertions + child->depth++;
    fmpz_mpoly_struct *copy = mpoly_new(q);
    fmpz_mpoly_set(copy, p, q->ctx);
    if (sign < 0)
        fmpz_mpoly_neg(copy, copy, q->ctx);
    enum verdict verdict = SAS_EMPTY;
    const uint64_t *assumed = origins_single(q, bit);
    if (factor_out(q, child, p, relation == FACT_EQ ? 0 : sign, assumed) &&
        state_add(q, child, copy, relation, assumed))
        verdict = state_search(q, child, true);
    if (q->broken)
        return SAS_UNKNOWN;
    *backed = verdict == SAS_EMPTY && !origins_have(q->conflict, bit);
    if (verdict == SAS_EMPTY)
        q->conflict = origins_without(q, q->conflict, bit);
    return verdict;
}

/* p > 0, p < 0 and p = 0 in turn. */
static enum verdict state_split(struct question *q, const struct state *state,
                                const fmpz_mpoly_struct *p)
{
    static const struct {
        int sign;
        enum fact_relation relation;
    } cases[] = {{1, FACT_GT}, {-1, FACT_GT}, {1, FACT_EQ}};
    const uint64_t *joined = NULL;
    bool all = true;
    for (size_t i = 0; i < 3; i++) {
        bool backed = false;
        enum verdict verdict = case_decide(q, state, p, cases[i].sign, cases[i].relation, &backed);
        if (verdict == SAS_NONEMPTY || q->broken || backed)
            return verdict;
        all &= verdict == SAS_EMPTY;
        if (verdict == SAS_EMPTY)
            joined = origins_union(q, joined, q->conflict);
    }
    q->conflict = joined;
    return all ? SAS_EMPTY : SAS_UNKNOWN;
}

/* The variable of the facts that occurs in most of them in a product or power; -1 if there is
   none. */
static int variable_pick(const struct question *q, const struct state *state)
{
    int best = -1;
    slong most = 0;
    for (int v = 0; v < q->variables; v++) {
        slong weight = 0;
        for (size_t i = 0; i < state->count; i++) {
            const struct fact *fact = state->facts[i];
            if (fact->degrees[v])
                weight += mpoly_total_degree(fact->p, q->ctx) + fact->degrees[v];
        }
        if (weight > most) {
            most = weight;
            best = v;
        }
    }
    return best;
}

/* Puts values in for one variable and goes on. An EMPTY answer of a case is one of the whole state
   if its contradiction does not need the value. */
static enum verdict state_sample(struct question *q, const struct state *state)
{
    int v = variable_pick(q, state);
    if (v < 0 || state->depth >= ASSUMPTION_LIMIT)
        return SAS_UNKNOWN;
    fmpq *values = rationals_new(q, SAMPLE_WIDTH);
    size_t count = variable_samples(q, state, v, values, SAMPLE_WIDTH);
    for (size_t i = 0; i < count && !q->broken; i++) {
        struct state *child = state_copy(q, state);
        size_t bit = q->assertions + child->depth++;
        enum verdict verdict = SAS_EMPTY;
        if (state_substitute(q, child, v, mpoly_constant(q, fmpq_numref(values + i)),
                             mpoly_constant(q, fmpq_denref(values + i)), origins_single(q, bit)))
            verdict = state_search(q, child, false);
        if (verdict == SAS_NONEMPTY && !q->broken)
            return verdict;
        if (verdict == SAS_EMPTY && !q->broken && !origins_have(q->conflict, bit))
            return verdict;
    }
    return SAS_UNKNOWN;
}

/* The polynomial to distinguish by; NULL if there is none or it went deep enough. */
static const fmpz_mpoly_struct *split_choose(struct question *q, const struct state *state)
{
    const fmpz_mpoly_struct *p = state->depth < SPLIT_DEPTH ? inequation(state) : NULL;
    if (!p && state->depth < SPLIT_DEPTH)
        p = state_obstacle(q, state);
    if (!p && state->depth < SPLIT_DEPTH)
        p = divisor(q, state);
    if (!p && state->depth < SPLIT_DEPTH)
        p = unbounded(q, state);
    return p;
}

/* exact: distinguish cases before values are tried. */
static enum verdict state_search(struct question *q, struct state *state, bool exact)
{
    enum verdict verdict = state_reduce(q, state);
    if (verdict != SAS_UNKNOWN || q->broken)
        return verdict;
    if (point_start(q, state) && point_holds(q, state) && point_extend(q, state))
        return SAS_NONEMPTY;
    verdict = state_propagate(q, state);
    if (verdict == SAS_UNKNOWN && !q->broken)
        verdict = state_linear(q, state, false);
    if (verdict == SAS_UNKNOWN && exact && !q->broken)
        verdict = state_linear(q, state, true);
    if (verdict != SAS_UNKNOWN || q->broken)
        return verdict;
    const fmpz_mpoly_struct *p = exact ? split_choose(q, state) : NULL;
    if (q->broken)
        return SAS_UNKNOWN;
    return p ? state_split(q, state, p) : state_sample(q, state);
}

enum verdict state_decide(struct question *q, struct state *state)
{
    enum verdict verdict = state_search(q, state, true);
    return q->broken && verdict == SAS_EMPTY ? SAS_UNKNOWN : verdict;
}
