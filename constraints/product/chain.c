/* Proofs of what interval propagation refutes. In: an infeasible conjunction; out: a chain of
   lemmas, each a bound q > 0 of a variable or of a partial product of a monomial, and a last
   product that refutes the conjunction with them. A lemma stands in the proof as (split q REST P2
   P3): P2 and P3 are products that refute q < 0 and q = 0 by the fact and the bounds that the lemma
   came from, REST goes on with q > 0. Since q = 0 must be refuted, bounds are widened to strict
   ones. Bounds for which no product is found are not used, and lemmas that nothing refers to are
   left out. */
#include "constraints/product/handelman.h"
#include "constraints/front/propagate.h"
#include "constraints/front/range.h"
#include <string.h>

enum { LEMMA_LEVELS = 3, LEMMA_LIMIT = 200, STEPS = 20000 };

struct lemma {
    const struct poly *q;
    struct product_proof below, zero;   /* factors: identities, the lemma's own stands for its
                                           negation */
    bool used;
};

/* A hypothesis or lemma is named by its identity: its place in the question, or the question's
   count plus the lemma's. */
struct chain {
    struct arena *arena, *scratch;
    const struct product_question *question;
    struct budget *budget;
    struct propagation p;
    const struct fact **facts;
    size_t *fact_identity;
    size_t lo[RING_CAPACITY], hi[RING_CAPACITY];   /* identities of the bounds, by local variable */
    VEC(struct lemma) lemmas;
};

/* What a proof may use. */
struct material {
    size_t at[2 * RING_CAPACITY + 8];
    size_t count;
};

static void material_add(struct material *m, size_t identity)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->at[i] == identity)
            return;
    if (identity != SIZE_MAX && m->count < sizeof m->at / sizeof *m->at - 1)
        m->at[m->count++] = identity;
}

static struct constraint identity_constraint(const struct chain *c, size_t identity)
{
    if (identity < c->question->count)
        return c->question->at[identity];
    return (struct constraint){c->lemmas.at[identity - c->question->count].q, RELATION_GT};
}

/* A product that refutes the material and, if q is not NULL, q relation 0 (named `own`). */
static bool material_refute(struct chain *c, const struct material *m, const struct poly *q,
                            enum relation relation, size_t own, struct product_proof *proof)
{
    struct constraint *at = ARENA_ARRAY(c->scratch, struct constraint, m->count + 1);
    size_t *identities = ARENA_ARRAY(c->scratch, size_t, m->count + 1), count = 0;
    for (; count < m->count; count++) {
        at[count] = identity_constraint(c, m->at[count]);
        identities[count] = m->at[count];
    }
    if (q) {
        at[count] = (struct constraint){q, relation};
        identities[count++] = own;
    }
    struct product_question question = {c->question->ring, at, identities, count, 0};
    bool proved = false;
    for (int plain = 0; !proved && plain < 2; plain++)
        proved = handelman_prove(c->arena, &question, (struct product_search){LEMMA_LEVELS, plain},
                                 c->budget, proof);
    for (size_t i = 0; proved && i < proof->count; i++)
        for (size_t k = 0; k < proof->terms[i].count; k++) {
            struct product_factor *factor = &proof->terms[i].factors[k];
            proved &= factor->kind == FACTOR_HYPOTHESIS || factor->poly;
            if (factor->kind == FACTOR_HYPOTHESIS)
                factor->hypothesis = identities[factor->hypothesis];
        }
    return proved;
}

/* The identity of the new lemma q > 0; SIZE_MAX if it was not proved. */
static size_t lemma_add(struct chain *c, const struct material *m, const struct poly *q)
{
    struct lemma lemma = {.q = q};
    size_t identity = c->question->count + c->lemmas.count;
    if (c->lemmas.count == LEMMA_LIMIT || !q ||
        !material_refute(c, m, q, RELATION_LT, identity, &lemma.below) ||
        !material_refute(c, m, q, RELATION_EQ, identity, &lemma.zero))
        return SIZE_MAX;
    vec_push(c->scratch, &c->lemmas, lemma);
    return identity;
}

/* value - monomial (upper) or monomial - value, in the ring, without denominators. */
static const struct poly *bound_poly(struct chain *c, const ulong *exponents, const fmpq *value,
                                     bool upper)
{
    const struct question *q = c->p.q;
    struct ring *ring = c->question->ring;
    ulong wide[RING_CAPACITY] = {0};
    fmpq_t one;
    fmpq_init(one);
    fmpq_set_fmpz(one, fmpq_denref(value));
    struct poly *p = poly_new(ring);
    for (int v = 0; v < q->variables; v++)
        wide[q->ring_variable[v]] = exponents[v];
    fmpq_mpoly_set_coeff_fmpq_ui(p->value, one, wide, ring->ctx);
    fmpq_set_fmpz(one, fmpq_numref(value));
    fmpq_mpoly_sub_fmpq(p->value, p->value, one, ring->ctx);
    if (upper)
        fmpq_mpoly_neg(p->value, p->value, ring->ctx);
    fmpq_clear(one);
    return p;
}

static void variable_material(const struct chain *c, struct material *m, int v)
{
    material_add(m, c->lo[v]);
    material_add(m, c->hi[v]);
}

/* An open end somewhat outside of a range's end. */
static void end_open(struct end *end, bool upper)
{
    if (end->strict || end->infinite)
        return;
    fmpq_t little;
    fmpq_init(little);
    fmpq_set_si(little, upper ? 1 : -1, 1024);
    fmpq_add(&end->value, &end->value, little);
    end->strict = true;
    fmpq_clear(little);
}

/* The sides of the range of the first variables of a monomial as lemmas from `m`; they replace
   it. */
static void partial_product(struct chain *c, struct material *m, const ulong *exponents,
                            struct range *range)
{
    struct material next = {.count = 0};
    for (int upper = 0; upper < 2; upper++) {
        struct end *end = upper ? &range->hi : &range->lo;
        end_round(end, upper);
        end_open(end, upper);
        if (!end->infinite)
            material_add(&next, lemma_add(c, m, bound_poly(c, exponents, &end->value, upper)));
    }
    *m = next;
}

/* What is known of a monomial: its variables' bounds, or where they are many, lemmas on its partial
   products. */
static void monomial_material(struct chain *c, struct material *m, const ulong *exponents)
{
    struct material own = {.count = 0};
    ulong part[RING_CAPACITY] = {0};
    struct range range, power;
    fmpz_t one;
    int factors = 0;
    fmpz_init_set_ui(one, 1);
    range_init(&range);
    range_init(&power);
    range_set(&range, one);
    for (int v = 0; v < c->p.q->variables; v++)
        factors += exponents[v] > 0;
    for (int v = 0, taken = 0; v < c->p.q->variables; v++) {
        if (!exponents[v])
            continue;
        part[v] = exponents[v];
        variable_material(c, factors > 2 ? &own : m, v);
        range_bounds(&power, c->p.lo[v], c->p.hi[v]);
        range_power(c->p.q, &power, exponents[v]);
        range_multiply(c->p.q, &range, &power);
        if (factors > 2 && ++taken > 1)
            partial_product(c, &own, part, &range);
    }
    for (size_t i = 0; i < own.count; i++)
        material_add(m, own.at[i]);
    range_clear(&range);
    range_clear(&power);
    fmpz_clear(one);
}

/* The fact and what bounds its variables and monomials. */
static void fact_material(struct chain *c, struct material *m, size_t fact)
{
    const fmpz_mpoly_struct *p = c->facts[fact]->p;
    material_add(m, c->fact_identity[fact]);
    for (slong i = 0; i < p->length; i++) {
        ulong exponents[RING_CAPACITY];
        mpoly_exponents(exponents, p, i, c->p.q->ctx);
        monomial_material(c, m, exponents);
    }
}

/* The fact alone may be enough, which costs less to find out. */
static bool bound_accept(struct propagation *p, size_t fact, int v, bool upper,
                         const struct bound *bound)
{
    struct chain *c = p->user;
    struct material alone = {{c->fact_identity[fact]}, 1}, all = {.count = 0};
    ulong exponents[RING_CAPACITY] = {0};
    exponents[v] = 1;
    if (!bound->strict)
        return false;
    const struct poly *lemma = bound_poly(c, exponents, bound->value, upper);
    size_t identity = lemma_add(c, &alone, lemma);
    if (identity == SIZE_MAX) {
        fact_material(c, &all, fact);
        identity = lemma_add(c, &all, lemma);
    }
    if (identity == SIZE_MAX)
        return false;
    (upper ? c->hi : c->lo)[v] = identity;
    return true;
}

/* A constraint of one variable and degree one as its bound, if it is better than what is there. */
static void bound_take(struct chain *c, const fmpz_mpoly_struct *p, int v, bool strict,
                       size_t identity)
{
    fmpq *value = rational_new(c->p.q);
    if (p->length > 1)
        fmpz_neg(fmpq_numref(value), p->coeffs + 1);
    fmpz_set(fmpq_denref(value), p->coeffs);
    fmpq_canonicalise(value);
    bool upper = fmpz_sgn(p->coeffs) < 0;
    const struct bound **side = upper ? &c->p.hi[v] : &c->p.lo[v];
    int order = *side ? fmpq_cmp(value, (*side)->value) * (upper ? -1 : 1) : 1;
    if (order < 0 || (order == 0 && !strict))
        return;
    struct bound *bound = ARENA_NEW(c->scratch, struct bound);
    *bound = (struct bound){value, strict, origins_single(c->p.q, identity)};
    *side = bound;
    (upper ? c->hi : c->lo)[v] = identity;
}

static void constraint_take(struct chain *c, size_t i)
{
    struct question *q = c->p.q;
    struct constraint own = c->question->at[i];
    fmpz_mpoly_struct *p = question_polynomial(q, own);
    int v = mpoly_univariate(q, p);
    bool strict = own.relation == RELATION_LT || own.relation == RELATION_GT;
    if (v >= 0 && mpoly_degree(q, p, v) == 1 && own.relation != RELATION_NE) {
        bound_take(c, p, v, strict, i);
        if (own.relation != RELATION_EQ)
            return;
        fmpz_mpoly_neg(p, p, q->ctx);
        bound_take(c, p, v, strict, i);
        return;
    }
    struct fact *fact = ARENA_NEW(c->scratch, struct fact);
    enum fact_relation relation = own.relation == RELATION_EQ   ? FACT_EQ
                                  : own.relation == RELATION_NE ? FACT_NE
                                  : strict                      ? FACT_GT
                                                                : FACT_GE;
    *fact = (struct fact){p, relation, origins_single(q, i), 0, NULL, NULL};
    c->facts[c->p.count] = fact;
    c->fact_identity[c->p.count++] = i;
}

static void chain_open(struct chain *c)
{
    const struct product_question *question = c->question;
    struct question *q =
        question_new(c->scratch, question->ring, question->at, question->count, STEPS);
    struct state *state = question_state(q);
    c->facts = ARENA_ARRAY(c->scratch, const struct fact *, question->count + 1);
    c->fact_identity = ARENA_ARRAY(c->scratch, size_t, question->count + 1);
    c->p = (struct propagation){.q = q,
                                .facts = c->facts,
                                .lo = state->lo,
                                .hi = state->hi,
                                .accept = bound_accept,
                                .strict = true,
                                .user = c};
    for (int v = 0; v < RING_CAPACITY; v++)
        c->lo[v] = c->hi[v] = SIZE_MAX;
    for (size_t i = 0; i < question->count; i++)
        constraint_take(c, i);
}

static void proof_mark(struct chain *c, const struct product_proof *proof)
{
    for (size_t i = 0; i < proof->count; i++)
        for (size_t k = 0; k < proof->terms[i].count; k++) {
            const struct product_factor *factor = &proof->terms[i].factors[k];
            if (factor->kind == FACTOR_HYPOTHESIS && factor->hypothesis >= c->question->count)
                c->lemmas.at[factor->hypothesis - c->question->count].used = true;
        }
}

/* The lemmas that are used, nested in each other, around the last product. */
static void chain_print(struct str *out, struct chain *c, const struct product_proof *last)
{
    size_t given = c->question->count, next = c->question->next;
    size_t *numbers = ARENA_ARRAY(c->scratch, size_t, given + c->lemmas.count + 1);
    memcpy(numbers, c->question->numbers, given * sizeof *numbers);
    proof_mark(c, last);
    for (size_t i = c->lemmas.count; i-- > 0;)
        if (c->lemmas.at[i].used) {
            proof_mark(c, &c->lemmas.at[i].below);
            proof_mark(c, &c->lemmas.at[i].zero);
        }
    for (size_t i = 0; i < c->lemmas.count; i++) {
        if (!c->lemmas.at[i].used)
            continue;
        numbers[given + i] = next++;
        str_add(out, "(split ");
        str_quote(out, poly_text(out->arena, c->lemmas.at[i].q));
        str_char(out, ' ');
    }
    product_print(out, last, numbers);
    for (size_t i = c->lemmas.count; i-- > 0;) {
        if (!c->lemmas.at[i].used)
            continue;
        str_char(out, ' ');
        product_print(out, &c->lemmas.at[i].below, numbers);
        str_char(out, ' ');
        product_print(out, &c->lemmas.at[i].zero, numbers);
        str_char(out, ')');
    }
}

bool chain_prove(struct str *out, const struct product_question *question, struct budget *budget)
{
    struct chain *c = ARENA_NEW(out->arena, struct chain);
    struct product_proof last;
    size_t fact;
    *c = (struct chain){
        .arena = out->arena, .scratch = arena_new(), .question = question, .budget = budget};
    chain_open(c);
    bool refuted = propagate(&c->p, &fact) && !c->p.q->broken;
    struct material m = {.count = 0};
    for (int v = 0; refuted && fact == SIZE_MAX && v < c->p.q->variables; v++)
        variable_material(c, &m, v);
    if (refuted && fact != SIZE_MAX)
        fact_material(c, &m, fact);
    bool proved = refuted && material_refute(c, &m, NULL, RELATION_EQ, 0, &last);
    if (proved)
        chain_print(out, c, &last);
    arena_free(c->scratch);
    return proved;
}
