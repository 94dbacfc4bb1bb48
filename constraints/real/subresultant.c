/* Chains of subresultants. In: two polynomials and a variable; out: every S_j, zero ones and those
   of a degree below j included. The chain is Ducos' ("Optimizations of the subresultant algorithm",
   J. Pure Appl. Algebra 145, 2000): from A = S_d of degree d and B = S_(d-1) of degree e follow S_e
   by Lazard's power and S_(e-1) by divisions that are exact in the ring of coefficients; the S_j
   strictly between e and d-1 vanish. */
#include "constraints/real/subresultant.h"
#include "constraints/ring.h"
#include "constraints/real/dense.h"

struct subresultants {
    struct arena *arena;
    const fmpz_mpoly_ctx_struct *ctx;
    int variable;
    struct dense a, b;         /* p and q, deg a >= deg b */
    bool done;
    size_t count;
    struct dense *chain;       /* S_j by j */
    fmpz_mpoly_struct **whole; /* S_j as one polynomial, NULL if not asked for yet */
    const fmpz_mpoly_struct *zero;
};

static void subresultants_free(void *object)
{
    struct subresultants *s = object;
    struct algebra g = {s->ctx, NULL};
    dense_clear(&g, &s->a);
    dense_clear(&g, &s->b);
    for (size_t j = 0; j < s->count; j++)
        dense_clear(&g, &s->chain[j]);
}

struct subresultants *subresultants_new(struct arena *arena, const fmpz_mpoly_ctx_struct *ctx,
                                        const fmpz_mpoly_struct *p, const fmpz_mpoly_struct *q,
                                        int variable)
{
    struct subresultants *s = ARENA_NEW(arena, struct subresultants);
    struct budget ample = {UINT64_MAX, false, NULL};
    struct algebra g = {ctx, &ample};
    *s = (struct subresultants){.arena = arena, .ctx = ctx, .variable = variable};
    dense_from(&g, &s->a, p, variable);
    dense_from(&g, &s->b, q, variable);
    if (s->a.length < s->b.length)
        dense_swap(&s->a, &s->b);
    s->count = s->b.length > 1 ? (size_t)s->b.length - 1 : 0;
    s->chain = ARENA_ARRAY(arena, struct dense, s->count);
    s->whole = ARENA_ARRAY(arena, fmpz_mpoly_struct *, s->count);
    s->zero = mpoly_scratch(arena, ctx);
    arena_on_free(arena, subresultants_free, s);
    return s;
}

size_t subresultants_count(const struct subresultants *s)
{
    return s->count;
}

/* r = variable * h - c * b / divisor where c is the coefficient of variable^e in variable * h; h
   and r may not alias. */
static void shifted(const struct algebra *g, struct dense *r, const struct dense *h,
                    const struct dense *b, const fmpz_mpoly_struct *divisor)
{
    slong e = b->length - 1;
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, g->ctx);
    dense_zero(g, r);
    dense_fit(g, r, e + 1);
    for (slong i = 1; i <= h->length && i < e; i++)
        fmpz_mpoly_set(&r->at[i], &h->at[i - 1], g->ctx);
    for (slong i = 0; i < e && h->length == e; i++) {
        algebra_mul(g, t, &h->at[e - 1], &b->at[i]);
        algebra_div(g, t, t, divisor);
        fmpz_mpoly_sub(&r->at[i], &r->at[i], t, g->ctx);
    }
    r->length = e;
    dense_normalise(g, r);
    fmpz_mpoly_clear(t, g->ctx);
}

/* sum += factor * h */
static void accumulate(const struct algebra *g, struct dense *sum, const fmpz_mpoly_struct *factor,
                       const struct dense *h)
{
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, g->ctx);
    for (slong i = 0; i < h->length && !fmpz_mpoly_is_zero(factor, g->ctx); i++) {
        algebra_mul(g, t, factor, &h->at[i]);
        fmpz_mpoly_add(&sum->at[i], &sum->at[i], t, g->ctx);
    }
    fmpz_mpoly_clear(t, g->ctx);
}

/* The sum over j < d of (coefficient j of a) * H_j, divided by lc(a), with H_j = lc(c) * variable^j
   below e, H_e = lc(c) * variable^e - c, and H_j shifted from H_(j-1) above; `last` becomes
   H_(d-1). */
static void sum_heads(const struct algebra *g, struct dense *sum, struct dense *last,
                      const struct dense *a, const struct dense *b, const struct dense *c)
{
    slong d = a->length - 1, e = b->length - 1;
    const fmpz_mpoly_struct *lead = &c->at[e];
    struct dense next;
    dense_init(&next);
    dense_zero(g, sum);
    dense_fit(g, sum, e + 1);
    for (slong j = 0; j < e; j++)
        algebra_mul(g, &sum->at[j], lead, &a->at[j]);
    dense_set(g, last, c);
    last->length = e;
    for (slong i = 0; i < e; i++)
        fmpz_mpoly_neg(&last->at[i], &last->at[i], g->ctx);
    fmpz_mpoly_zero(&last->at[e], g->ctx);
    dense_normalise(g, last);
    accumulate(g, sum, &a->at[e], last);
    for (slong j = e + 1; j < d && !g->budget->spent; j++) {
        shifted(g, &next, last, b, &b->at[e]);
        dense_swap(&next, last);
        accumulate(g, sum, &a->at[j], last);
    }
    for (slong i = 0; i < e; i++)
        algebra_div(g, &sum->at[i], &sum->at[i], &a->at[d]);
    sum->length = e;
    dense_clear(g, &next);
}

/* S_(e-1) up to sign from a = S_d, b = S_(d-1) of degree e >= 1, c = S_e; `s` = lc(a), or for the
   first step its replacement, see chain_fill. */
static void next_subresultant(const struct algebra *g, struct dense *r, const struct dense *a,
                              const struct dense *b, const struct dense *c,
                              const fmpz_mpoly_struct *s)
{
    slong e = b->length - 1;
    struct dense sum, last;
    fmpz_mpoly_t t, u;
    dense_init(&sum);
    dense_init(&last);
    fmpz_mpoly_init(t, g->ctx);
    fmpz_mpoly_init(u, g->ctx);
    sum_heads(g, &sum, &last, a, b, c);
    dense_zero(g, r);
    dense_fit(g, r, e);
    for (slong i = 0; i < e && !g->budget->spent; i++) {
        fmpz_mpoly_set(t, &sum.at[i], g->ctx);
        if (i > 0 && i - 1 < last.length)
            fmpz_mpoly_add(t, t, &last.at[i - 1], g->ctx);
        algebra_mul(g, t, t, &b->at[e]);
        if (last.length == e) {
            algebra_mul(g, u, &last.at[e - 1], &b->at[i]);
            fmpz_mpoly_sub(t, t, u, g->ctx);
        }
        algebra_div(g, &r->at[i], t, s);
    }
    r->length = e;
    dense_normalise(g, r);
    fmpz_mpoly_clear(t, g->ctx);
    fmpz_mpoly_clear(u, g->ctx);
    dense_clear(g, &sum);
    dense_clear(g, &last);
}

/* S_e from S_(d-1) = b of degree e: lc(b)^(d-e-1) * b / s^(d-e-1). */
static void lazard_step(const struct algebra *g, struct dense *c, const struct dense *b, slong d,
                        const fmpz_mpoly_struct *s)
{
    slong e = b->length - 1;
    fmpz_mpoly_t power;
    dense_set(g, c, b);
    if (d - e < 2)
        return;
    fmpz_mpoly_init(power, g->ctx);
    algebra_lazard(g, power, &b->at[e], s, (ulong)(d - e - 1));
    for (slong i = 0; i <= e; i++) {
        algebra_mul(g, &c->at[i], &c->at[i], power);
        algebra_div(g, &c->at[i], &c->at[i], s);
    }
    dense_normalise(g, c);
    fmpz_mpoly_clear(power, g->ctx);
}

/* Starts with S_n taken as q itself and s = lc(q)^(m-n); S_(n-1) = prem(p, q) up to sign. */
static void chain_fill(const struct algebra *g, struct subresultants *s)
{
    struct dense a, b, c;
    fmpz_mpoly_t lead;
    dense_init(&a);
    dense_init(&b);
    dense_init(&c);
    fmpz_mpoly_init(lead, g->ctx);
    dense_set(g, &a, &s->b);
    dense_divide(g, NULL, &b, &s->a, &s->b);
    algebra_pow(g, lead, &s->b.at[s->b.length - 1], (ulong)(s->a.length - s->b.length));
    while (b.length > 0 && !g->budget->spent) {
        slong d = a.length - 1, e = b.length - 1;
        dense_set(g, &s->chain[d - 1], &b);
        lazard_step(g, &c, &b, d, lead);
        if (c.length != b.length)
            break;
        dense_set(g, &s->chain[e], &c);
        if (e == 0)
            break;
        next_subresultant(g, &s->chain[e - 1], &a, &b, &c, lead);
        dense_set(g, &b, &s->chain[e - 1]);
        dense_swap(&a, &c);
        fmpz_mpoly_set(lead, &a.at[e], g->ctx);
    }
    dense_clear(g, &a);
    dense_clear(g, &b);
    dense_clear(g, &c);
    fmpz_mpoly_clear(lead, g->ctx);
    s->done = !g->budget->spent;
}

static bool chain_ready(struct subresultants *s, struct budget *budget)
{
    struct algebra g = {s->ctx, budget};
    if (s->done || budget->spent)
        return s->done;
    for (size_t j = 0; j < s->count; j++)
        dense_zero(&g, &s->chain[j]);
    chain_fill(&g, s);
    return s->done;
}

const fmpz_mpoly_struct *subresultants_principal(struct subresultants *s, size_t j,
                                                 struct budget *budget)
{
    if (!chain_ready(s, budget))
        return NULL;
    return s->chain[j].length == (slong)j + 1 ? &s->chain[j].at[j] : s->zero;
}

const fmpz_mpoly_struct *subresultants_polynomial(struct subresultants *s, size_t j,
                                                  struct budget *budget)
{
    struct algebra g = {s->ctx, budget};
    if (!chain_ready(s, budget))
        return NULL;
    if (!s->whole[j]) {
        s->whole[j] = mpoly_scratch(s->arena, s->ctx);
        dense_to(&g, s->whole[j], &s->chain[j], s->variable);
    }
    return s->whole[j];
}

size_t subresultant_principal(struct arena *arena, const fmpz_mpoly_ctx_struct *ctx,
                              const fmpz_mpoly_struct *p, const fmpz_mpoly_struct *q, int variable,
                              struct budget *budget, const fmpz_mpoly_struct ***psc)
{
    struct subresultants *s = subresultants_new(arena, ctx, p, q, variable);
    *psc = ARENA_ARRAY(arena, const fmpz_mpoly_struct *, s->count);
    for (size_t j = 0; j < s->count; j++)
        if (!((*psc)[j] = subresultants_principal(s, j, budget)))
            return 0;
    return s->count;
}
