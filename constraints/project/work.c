/* The frame of an elimination: variables renumbered, budget, polynomials in and out of the ring.
   In: a ring and the set of its variables that take part; out: an empty workshop. The budget counts
   terms written, which is the same in every run; when it is spent the work is broken, and
   everything goes on with void results until somebody looks. */
#include "constraints/project/work.h"
#include <stdlib.h>

enum { TERM_LIMIT = 5000, DEGREE_LIMIT = 200, BIT_LIMIT = 20000 };
static void ctx_clear(void *object)
{
    fmpz_mpoly_ctx_clear(object);
}

struct work *work_new(struct arena *scratch, struct ring *ring, uint64_t variables, uint64_t steps)
{
    struct work *w = ARENA_NEW(scratch, struct work);
    w->arena = scratch;
    w->ring = ring;
    w->steps = steps;
    for (int v = 0; v < RING_CAPACITY; v++) {
        w->local_variable[v] = variables >> v & 1 ? w->variables : -1;
        if (variables >> v & 1)
            w->ring_variable[w->variables++] = v;
    }
    fmpz_mpoly_ctx_init(w->ctx, w->variables, ORD_DEGLEX);
    arena_on_free(scratch, ctx_clear, w->ctx);
    struct node *constants = ARENA_ARRAY(scratch, struct node, 2);
    constants[0] = (struct node){.kind = NODE_FALSE, .negation = &constants[1]};
    constants[1] = (struct node){.kind = NODE_TRUE, .negation = &constants[0], .id = 1};
    w->falsity = &constants[0];
    w->truth = &constants[1];
    w->node_count = 2;
    return w;
}

bool work_break(struct work *w, const char *reason)
{
    w->broken = true;
    if (!w->reason)
        w->reason = reason;
    return false;
}

bool work_charge(struct work *w, uint64_t steps)
{
    if (w->broken || w->steps < steps)
        return work_break(w, "the step budget is spent");
    w->steps -= steps;
    return true;
}

fmpz_mpoly_struct *work_mpoly(struct work *w)
{
    return mpoly_scratch(w->arena, w->ctx);
}

static bool within_limits(const struct work *w, const fmpz_mpoly_t p)
{
    return p->length <= TERM_LIMIT && mpoly_total_degree(p, w->ctx) <= DEGREE_LIMIT &&
           labs(fmpz_mpoly_max_bits(p)) <= BIT_LIMIT;
}

void work_mul(struct work *w, fmpz_mpoly_t product, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
    if (!work_charge(w, 1 + (uint64_t)a->length * (uint64_t)b->length)) {
        fmpz_mpoly_zero(product, w->ctx);
        return;
    }
    fmpz_mpoly_mul(product, a, b, w->ctx);
    if (!within_limits(w, product))
        work_break(w, "a polynomial grew beyond the limits");
}

void work_coefficient(const struct work *w, fmpz_mpoly_t coefficient, const fmpz_mpoly_t p,
                      int variable, unsigned exponent)
{
    mpoly_take_coefficient(coefficient, p, variable, exponent, w->ctx);
}

unsigned work_degree(const struct work *w, const fmpz_mpoly_t p, int variable)
{
    slong degree = mpoly_degree_in(p, variable, w->ctx);
    return degree > 0 ? (unsigned)degree : 0;
}

void work_take(struct work *w, fmpz_mpoly_t p, const struct poly *from)
{
    const fmpz_mpoly_struct *source = from->value->zpoly;
    ulong exponents[RING_CAPACITY], local[RING_CAPACITY];
    fmpz_mpoly_zero(p, w->ctx);
    for (slong i = 0; i < source->length; i++) {
        mpoly_exponents(exponents, source, i, from->ring->ctx->zctx);
        for (int v = 0; v < w->variables; v++)
            local[v] = exponents[w->ring_variable[v]];
        mpoly_push(p, source->coeffs + i, local, w->ctx);
    }
    fmpz_mpoly_sort_terms(p, w->ctx);
    if (fmpq_sgn(from->value->content) < 0)
        fmpz_mpoly_neg(p, p, w->ctx);
    if (!within_limits(w, p))
        work_break(w, "a polynomial is beyond the limits");
}

const struct poly *work_give(struct work *w, struct arena *arena, const fmpz_mpoly_t p)
{
    struct poly *given = poly_scratch(arena, w->ring);
    const fmpz_mpoly_ctx_struct *ctx = w->ring->ctx->zctx;
    ulong exponents[RING_CAPACITY], local[RING_CAPACITY];
    fmpq_mpoly_t value;
    fmpq_mpoly_init(value, w->ring->ctx);
    for (slong i = 0; i < p->length; i++) {
        mpoly_exponents(local, p, i, w->ctx);
        for (int v = 0; v < RING_CAPACITY; v++)
            exponents[v] = w->local_variable[v] >= 0 ? local[w->local_variable[v]] : 0;
        mpoly_push(value->zpoly, p->coeffs + i, exponents, ctx);
    }
    fmpz_mpoly_sort_terms(value->zpoly, ctx);
    fmpq_one(value->content);
    fmpq_mpoly_reduce(value, w->ring->ctx);
    fmpq_mpoly_swap(given->value, value, w->ring->ctx);
    fmpq_mpoly_clear(value, w->ring->ctx);
    return given;
}
