/* Elimination of variables that occur in the first degree. An equation g x + h = 0 with g of known
   sign gives x = -h / g, put in everywhere. A variable that occurs only in facts g x + h >= 0 or >
   0 with every g of known sign goes by pairing: each lower limit must not exceed each upper limit,
   h1 / g1 <= h2 / g2, cross-multiplied (spec C-21; for constant g this is Fourier-Motzkin, for
   machine parameters the pairing of the paper; in general virtual substitution of degree 1, Loos
   and Weispfenning). Both are equivalences for "there is an x", and the step recorded on the trail
   gives x its value back. Limits that others imply are dropped first, and pairing is done only
   where it does not let the system grow much; the choice is by least growth, then by variable
   number. */
#include "constraints/front/question.h"

enum { GROWTH_LIMIT = 6, UNFIT = 1 << 20 };

/* Sign of a coefficient if it is strictly one; 0 if not known. Constants need no bounds. */
static int sign_strict(struct question *q, const struct state *state, const fmpz_mpoly_struct *g,
                       const uint64_t **origins)
{
    *origins = NULL;
    if (fmpz_mpoly_is_fmpz(g, q->ctx))
        return fmpz_mpoly_is_zero(g, q->ctx) ? 0 : fmpz_sgn(g->coeffs);
    unsigned signs = sign_of(q, state, g, origins);
    return signs == SIGN_POSITIVE ? 1 : signs == SIGN_NEGATIVE ? -1 : 0;
}

static const fmpz_mpoly_struct *negative(struct question *q, const fmpz_mpoly_struct *p)
{
    fmpz_mpoly_struct *result = mpoly_new(q);
    fmpz_mpoly_neg(result, p, q->ctx);
    return result;
}

/* The fact's polynomial as g x + h for a variable of degree one. Facts are shared by many states,
   and each elimination asks for every variable of every fact, so the parts are kept with the fact.
 */
static const struct linear *fact_linear(struct question *q, const struct fact *fact, int variable)
{
    if (!fact->linear[variable]) {
        struct linear *parts = ARENA_NEW(q->arena, struct linear);
        parts->g = mpoly_coefficient(q, fact->p, variable, 1);
        parts->h = mpoly_coefficient(q, fact->p, variable, 0);
        parts->minus_g = negative(q, parts->g);
        parts->minus_h = negative(q, parts->h);
        fact->linear[variable] = parts;
    }
    return fact->linear[variable];
}

/* Solves fact i, an equation, for a variable; constants as divisors first. 1 done, 0 impossible, -1
   contradiction. */
static int equation_use(struct question *q, struct state *state, size_t i, bool constant_only)
{
    const struct fact *fact = state->facts[i];
    for (int v = 0; v < q->variables; v++) {
        if (fact->degrees[v] != 1)
            continue;
        const uint64_t *used;
        const struct linear *parts = fact_linear(q, fact, v);
        if (constant_only && !fmpz_mpoly_is_fmpz(parts->g, q->ctx))
            continue;
        int sign = sign_strict(q, state, parts->g, &used);
        if (!sign)
            continue;
        const uint64_t *origins = origins_union(q, fact->origins, used);
        state->facts[i] = state->facts[--state->count];
        bool consistent = sign > 0
                              ? state_substitute(q, state, v, parts->minus_h, parts->g, origins)
                              : state_substitute(q, state, v, parts->h, parts->minus_g, origins);
        return consistent ? 1 : -1;
    }
    return 0;
}

static int equations_use(struct question *q, struct state *state)
{
    for (int constant_only = 1; constant_only >= 0; constant_only--)
        for (size_t i = 0; i < state->count; i++) {
            int done =
                state->facts[i]->relation == FACT_EQ ? equation_use(q, state, i, constant_only) : 0;
            if (done)
                return done;
        }
    return 0;
}

struct limits {
    struct limit *at;
    size_t count, upper;   /* all; those from above */
    bool constant;         /* every g is a constant */
};

static struct limit bound_limit(struct question *q, const struct bound *bound, bool upper)
{
    return (struct limit){mpoly_constant(q, fmpq_denref(bound->value)),
                          mpoly_constant(q, fmpq_numref(bound->value)), upper, bound->strict,
                          bound->origins};
}

/* All limits on v; false if v occurs in another way. */
static bool limits_collect(struct question *q, const struct state *state, int v,
                           struct limits *limits)
{
    *limits = (struct limits){ARENA_ARRAY(q->arena, struct limit, state->count + 2), 0, 0, true};
    for (size_t i = 0; i < state->count; i++) {
        const struct fact *fact = state->facts[i];
        unsigned degree = fact->degrees[v];
        if (!degree)
            continue;
        if (degree > 1 || fact->relation == FACT_EQ || fact->relation == FACT_NE)
            return false;
        const uint64_t *used;
        const struct linear *parts = fact_linear(q, fact, v);
        int sign = sign_strict(q, state, parts->g, &used);
        if (!sign)
            return false;
        limits->constant &= fmpz_mpoly_is_fmpz(parts->g, q->ctx);
        limits->upper += sign < 0;
        struct limit limit = {parts->g, parts->minus_h, false, fact->relation == FACT_GT,
                              origins_union(q, fact->origins, used)};
        if (sign < 0) {
            limit.g = parts->minus_g;
            limit.h = parts->h;
            limit.upper = true;
        }
        limits->at[limits->count++] = limit;
    }
    if (state->lo[v])
        limits->at[limits->count++] = bound_limit(q, state->lo[v], false);
    if (state->hi[v]) {
        limits->at[limits->count++] = bound_limit(q, state->hi[v], true);
        limits->upper++;
    }
    return true;
}

/* Does limit a imply limit b (same side)? Certain only if the bounds say so. */
static bool limit_implies(struct question *q, const struct state *state, const struct limit *a,
                          const struct limit *b)
{
    const uint64_t *used;
    fmpz_mpoly_struct *difference = mpoly_cross(q, a->h, b->g, b->h, a->g);
    if (a->upper)
        fmpz_mpoly_neg(difference, difference, q->ctx);
    unsigned signs = sign_of(q, state, difference, &used);
    bool equal_allowed = a->strict || !b->strict;
    return !q->broken && !(signs & SIGN_NEGATIVE) && (equal_allowed || !(signs & SIGN_ZERO));
}

/* Drops limits that another one implies; of equivalent ones the first stays. */
static void limits_reduce(struct question *q, const struct state *state, struct limits *limits)
{
    for (size_t i = 0; i < limits->count; i++) {
        bool implied = false;
        for (size_t j = 0; !implied && j < limits->count; j++)
            implied = i != j && limits->at[i].upper == limits->at[j].upper &&
                      limit_implies(q, state, &limits->at[j], &limits->at[i]);
        if (!implied)
            continue;
        limits->upper -= limits->at[i].upper;
        for (size_t j = i; j + 1 < limits->count; j++)
            limits->at[j] = limits->at[j + 1];
        limits->count--;
        i--;
    }
}

static int growth(const struct limits *limits)
{
    int upper = (int)limits->upper, lower = (int)limits->count - upper;
    return upper * lower - upper - lower;
}

/* What eliminating by these limits adds; constant divisors go first. UNFIT if it is not worth
   it. */
static int limits_cost(const struct limits *limits)
{
    int cost = growth(limits);
    return cost > GROWTH_LIMIT ? UNFIT : cost + (limits->constant ? 0 : 2 * GROWTH_LIMIT);
}

static bool limits_both(const struct limits *limits)
{
    return limits->upper && limits->upper < limits->count;
}

/* The variable whose elimination adds least. One with limits on one side only is taken at once;
   where no variable is worth it, limits that others imply are dropped first, which costs more. -1
   if none is worth it then. */
static int variable_choose(struct question *q, struct state *state, struct limits *chosen)
{
    struct limits all[RING_CAPACITY];
    bool open[RING_CAPACITY] = {false};
    int best = -1;
    for (int v = 0; v < q->variables; v++) {
        open[v] = !state->gone[v] && limits_collect(q, state, v, &all[v]);
        if (!open[v] || limits_cost(&all[v]) == UNFIT)
            continue;
        if (best < 0 || limits_cost(&all[v]) < limits_cost(&all[best]))
            best = v;
        if (!limits_both(&all[v]))
            break;
    }
    for (int v = 0; best < 0 && v < q->variables; v++) {
        if (!open[v])
            continue;
        limits_reduce(q, state, &all[v]);
        if (limits_cost(&all[v]) != UNFIT)
            best = v;
    }
    if (best < 0)
        return -1;
    if (limits_both(&all[best]) && all[best].count > 2)
        limits_reduce(q, state, &all[best]);
    *chosen = all[best];
    return best;
}

static bool variable_pair(struct question *q, struct state *state, int v,
                          const struct limits *limits)
{
    struct step *step = ARENA_NEW(q->arena, struct step);
    *step = (struct step){
        .older = state->trail, .variable = v, .limits = limits->at, .count = limits->count};
    state->trail = step;
    state->gone[v] = true;
    state->lo[v] = state->hi[v] = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < state->count; i++)
        if (!state->facts[i]->degrees[v])
            state->facts[kept++] = state->facts[i];
    state->count = kept;
    for (size_t i = 0; i < limits->count; i++)
        for (size_t j = 0; j < limits->count; j++) {
            const struct limit *lower = &limits->at[i], *upper = &limits->at[j];
            if (lower->upper || !upper->upper)
                continue;
            if (!state_add(q, state, mpoly_cross(q, upper->h, lower->g, lower->h, upper->g),
                           lower->strict || upper->strict ? FACT_GT : FACT_GE,
                           origins_union(q, lower->origins, upper->origins)))
                return false;
        }
    return true;
}

/* Variables in no fact need no elimination; those in facts are taken until none is worth it. */
bool state_eliminate(struct question *q, struct state *state)
{
    while (!q->broken) {
        if (!state_settle(q, state))
            return false;
        int used = equations_use(q, state);
        if (used < 0)
            return false;
        if (used)
            continue;
        if (!state->count)
            return true;
        struct limits limits;
        int v = variable_choose(q, state, &limits);
        if (v < 0)
            return true;
        if (!variable_pair(q, state, v, &limits))
            return false;
    }
    return true;
}

/* Of the coefficients of variables that occur in the first degree only, the one with fewest terms
   among those of unknown sign. */
const fmpz_mpoly_struct *state_obstacle(struct question *q, const struct state *state)
{
    const fmpz_mpoly_struct *best = NULL;
    for (int v = 0; v < q->variables && !q->broken; v++) {
        bool linear = !state->gone[v];
        for (size_t i = 0; linear && i < state->count; i++)
            linear = state->facts[i]->degrees[v] <= 1;
        for (size_t i = 0; linear && i < state->count; i++) {
            const uint64_t *used;
            if (state->facts[i]->degrees[v] != 1)
                continue;
            const fmpz_mpoly_struct *g = fact_linear(q, state->facts[i], v)->g;
            if ((!best || g->length < best->length) && !sign_strict(q, state, g, &used))
                best = g;
        }
    }
    return best;
}
