/* The frame of a question: variables renumbered, assertions as facts, origin sets, budget. In:
   constraints over a ring; out: a state to decide. An origin set has one bit per assertion and
   ASSUMPTION_LIMIT more for the assumptions of case distinctions, which are taken away again when
   the cases are joined. The budget counts terms written, which is the same in every run. */
#include "constraints/front/question.h"
#include <string.h>

enum { TERM_LIMIT = 4000, DEGREE_LIMIT = 400, BIT_LIMIT = 20000 };

static void ctx_clear(void *object)
{
    fmpz_mpoly_ctx_clear(object);
}

static void variables_number(struct question *q, const struct constraint *at, size_t count)
{
    int used[RING_CAPACITY] = {0}, mark[RING_CAPACITY];
    for (size_t i = 0; i < count; i++) {
        mpoly_used(mark, at[i].poly->value->zpoly, q->ring->ctx->zctx);
        for (int v = 0; v < RING_CAPACITY; v++)
            used[v] |= mark[v];
    }
    for (int v = 0; v < RING_CAPACITY; v++) {
        q->local_variable[v] = used[v] ? q->variables : -1;
        if (used[v])
            q->ring_variable[q->variables++] = v;
    }
}

struct question *question_new(struct arena *scratch, struct ring *ring, const struct constraint *at,
                              size_t count, uint64_t steps)
{
    struct question *q = ARENA_NEW(scratch, struct question);
    q->arena = scratch;
    q->ring = ring;
    q->steps = steps;
    q->assertions = count;
    q->words = (count + ASSUMPTION_LIMIT + 63) / 64;
    variables_number(q, at, count);
    fmpz_mpoly_ctx_init(q->ctx, q->variables, ORD_LEX);
    arena_on_free(scratch, ctx_clear, q->ctx);
    return q;
}

struct state *question_state(struct question *q)
{
    struct state *state = ARENA_NEW(q->arena, struct state);
    state->lo = ARENA_ARRAY(q->arena, const struct bound *, q->variables + 1);
    state->hi = ARENA_ARRAY(q->arena, const struct bound *, q->variables + 1);
    state->gone = ARENA_ARRAY(q->arena, bool, q->variables + 1);
    return state;
}

struct state *state_copy(struct question *q, const struct state *state)
{
    struct state *copy = question_state(q);
    size_t n = (size_t)q->variables;
    memcpy(copy->lo, state->lo, n * sizeof *copy->lo);
    memcpy(copy->hi, state->hi, n * sizeof *copy->hi);
    memcpy(copy->gone, state->gone, n * sizeof *copy->gone);
    copy->facts = ARENA_ARRAY(q->arena, const struct fact *, state->count + 8);
    if (state->count)
        memcpy(copy->facts, state->facts, state->count * sizeof *copy->facts);
    copy->count = state->count;
    copy->capacity = state->count + 8;
    copy->trail = state->trail;
    copy->depth = state->depth;
    copy->changed = state->changed;
    return copy;
}

fmpz_mpoly_struct *mpoly_new(struct question *q)
{
    return mpoly_scratch(q->arena, q->ctx);
}

static void rational_clear(void *object)
{
    fmpq_clear(object);
}

fmpq *rationals_new(struct question *q, size_t count)
{
    fmpq *values = ARENA_ARRAY(q->arena, fmpq, count + 1);
    for (size_t i = 0; i < count; i++) {
        fmpq_init(values + i);
        arena_on_free(q->arena, rational_clear, values + i);
    }
    return values;
}

fmpq *rational_new(struct question *q)
{
    return rationals_new(q, 1);
}

static bool origins_within(const struct question *q, const uint64_t *a, const uint64_t *b)
{
    for (size_t i = 0; i < q->words; i++)
        if (a[i] & ~b[i])
            return false;
    return true;
}

const uint64_t *origins_union(struct question *q, const uint64_t *a, const uint64_t *b)
{
    if (!b || origins_within(q, b, a ? a : b))
        return a ? a : b;
    if (!a || origins_within(q, a, b))
        return b;
    uint64_t *joined = ARENA_ARRAY(q->arena, uint64_t, q->words);
    for (size_t i = 0; i < q->words; i++)
        joined[i] = a[i] | b[i];
    return joined;
}

const uint64_t *origins_single(struct question *q, size_t bit)
{
    uint64_t *set = ARENA_ARRAY(q->arena, uint64_t, q->words);
    set[bit / 64] = 1ull << bit % 64;
    return set;
}

const uint64_t *origins_without(struct question *q, const uint64_t *a, size_t bit)
{
    uint64_t *set = ARENA_ARRAY(q->arena, uint64_t, q->words);
    memcpy(set, a, q->words * sizeof *set);
    set[bit / 64] &= ~(1ull << bit % 64);
    return set;
}

bool origins_have(const uint64_t *a, size_t bit)
{
    return a[bit / 64] >> bit % 64 & 1;
}

void question_doubt(struct question *q, const char *reason)
{
    if (!q->reason)
        q->reason = reason;
}

static bool question_break(struct question *q, const char *reason)
{
    q->broken = true;
    question_doubt(q, reason);
    return false;
}

bool question_charge(struct question *q, uint64_t cost)
{
    if (q->steps < cost)
        return question_break(q, "the step budget is spent");
    q->steps -= cost;
    return !q->broken;
}

bool question_spend(struct question *q, const fmpz_mpoly_struct *p)
{
    if (!question_charge(q, 1 + (uint64_t)p->length))
        return false;
    bool small =
        p->length <= TERM_LIMIT && (p->bits <= 8 || mpoly_total_degree(p, q->ctx) <= DEGREE_LIMIT);
    for (slong i = 0; small && i < p->length; i++)
        small = !COEFF_IS_MPZ(p->coeffs[i]) || fmpz_bits(p->coeffs + i) <= BIT_LIMIT;
    if (small)
        return true;
    return question_break(q, "a polynomial grew beyond the limits");
}

bool question_spend_product(struct question *q, const fmpz_mpoly_struct *a,
                            const fmpz_mpoly_struct *b)
{
    return question_charge(q, (uint64_t)a->length * (uint64_t)b->length / 2);
}

fmpz_mpoly_struct *question_polynomial(struct question *q, struct constraint c)
{
    const struct poly *from = c.poly;
    bool negate = c.relation == RELATION_LT || c.relation == RELATION_LE;
    const fmpz_mpoly_ctx_struct *ctx = from->ring->ctx->zctx;
    const fmpz_mpoly_struct *source = from->value->zpoly;
    fmpz_mpoly_struct *p = mpoly_new(q);
    ulong exponents[RING_CAPACITY], local[RING_CAPACITY];
    for (slong i = 0; i < source->length; i++) {
        mpoly_exponents(exponents, source, i, ctx);
        for (int v = 0; v < q->variables; v++)
            local[v] = exponents[q->ring_variable[v]];
        mpoly_push(p, source->coeffs + i, local, q->ctx);
    }
    if (!mpoly_is_sorted(p, q->ctx))
        fmpz_mpoly_sort_terms(p, q->ctx);
    if (negate != (fmpq_sgn(from->value->content) < 0))
        fmpz_mpoly_neg(p, p, q->ctx);
    return p;
}

static bool assertion_add(struct question *q, struct state *state, fmpz_mpoly_struct *p, size_t i,
                          enum relation relation)
{
    enum fact_relation turned = relation == RELATION_EQ   ? FACT_EQ
                                : relation == RELATION_NE ? FACT_NE
                                : relation == RELATION_LT || relation == RELATION_GT ? FACT_GT
                                                                                     : FACT_GE;
    return state_add(q, state, p, turned, origins_single(q, i));
}

bool question_assert(struct question *q, struct state *state, size_t i, struct constraint c)
{
    return assertion_add(q, state, question_polynomial(q, c), i, c.relation);
}

/* With all bounds there from the start, facts need not be looked at twice. */
bool question_assert_all(struct question *q, struct state *state, const struct constraint *at)
{
    fmpz_mpoly_struct **later = ARENA_ARRAY(q->arena, fmpz_mpoly_struct *, q->assertions + 1);
    for (size_t i = 0; i < q->assertions; i++) {
        fmpz_mpoly_struct *p = question_polynomial(q, at[i]);
        bool bound =
            p->length <= 2 && mpoly_univariate(q, p) >= 0 && mpoly_total_degree(p, q->ctx) == 1;
        if (!bound)
            later[i] = p;
        else if (!assertion_add(q, state, p, i, at[i].relation))
            return false;
    }
    state->changed = 0;
    for (size_t i = 0; i < q->assertions; i++)
        if (later[i] && !assertion_add(q, state, later[i], i, at[i].relation))
            return false;
    return true;
}
