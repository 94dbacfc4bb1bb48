/* Sums of products that refute a conjunction. In: constraints, turned so that each says f >= 0, f >
   0 or f = 0 (f != 0 counts as f^2 > 0); out: terms, each a product that is not negative under
   them, whose positive combination is the zero polynomial although one of them is positive. The
   combination is found by duality: a linear functional on the monomials that gives every candidate
   product the sign it must have is looked for by the simplex method; if there is none, the
   multipliers of the conflict are the proof. A variable with a bound is counted from it, x' = its
   constraint's own polynomial (or, if that is not negative, from zero, x' = that polynomial +
   offset), so that monomials of such variables are products of constraints and need no candidates
   of their own: they are lower bounds of the functional's columns. Candidates come in levels of
   growing degree and enter the program only when the functional of the moment gives them a wrong
   sign (cutting planes). Source: Handelman, Representing polynomials by positive linear functions
   on compact convex polyhedra, 1988; Krivine. */
#include "constraints/product/handelman.h"
#include "constraints/front/simplex.h"
#include <string.h>

enum { ROW_LIMIT = 400, ROWS_AT_ONCE = 12 };

static void ctx_clear(void *object)
{
    fmpq_mpoly_ctx_clear(object);
}

static void variables_number(struct prover *p)
{
    for (int v = 0; v < p->ring->count; v++) {
        bool used = false;
        for (size_t i = 0; !used && i < p->count; i++)
            used = poly_uses(p->at[i].poly, v);
        if (used)
            p->ring_variable[p->variables++] = v;
    }
    p->variables += !p->variables;
}

/* The only variable of a polynomial of degree one, by local number; -1. */
static int linear_variable(const struct prover *p, const struct poly *poly)
{
    if (poly_total_degree(poly) != 1)
        return -1;
    int only = -1;
    for (int v = 0; v < p->variables; v++) {
        if (!poly_uses(poly, p->ring_variable[v]))
            continue;
        if (only >= 0)
            return -1;
        only = v;
    }
    return only;
}

static bool constraint_below(struct constraint c)
{
    return c.relation == RELATION_LT || c.relation == RELATION_LE;
}

/* A lower bound is taken before an upper one, else the first. */
static void bounds_choose(struct prover *p)
{
    for (int v = 0; v < p->variables; v++)
        p->bound_of[v] = SIZE_MAX;
    for (int upper = 0; upper < 2; upper++)
        for (size_t i = 0; i < p->count; i++) {
            struct constraint c = p->at[i];
            int v = linear_variable(p, c.poly);
            if (v < 0 || c.relation == RELATION_EQ || c.relation == RELATION_NE ||
                p->bound_of[v] != SIZE_MAX)
                continue;
            int64_t numerator, denominator;
            unsigned exponents[RING_CAPACITY];
            size_t leading = 0;   /* by total degree: the variable comes first */
            if (!poly_term(c.poly, leading, &numerator, &denominator, exponents))
                continue;
            if (((numerator < 0) != constraint_below(c)) == upper)
                p->bound_of[v] = i;
        }
}

static void rational_clear(void *object)
{
    fmpq_clear(object);
}

static fmpq *rational_new(struct arena *arena)
{
    fmpq *value = ARENA_NEW(arena, fmpq);
    fmpq_init(value);
    arena_on_free(arena, rational_clear, value);
    return value;
}

/* Writes ring variable v, which has a bound, in counted variables. */
static void image_set(struct prover *p, fmpq_mpoly_t image, int v)
{
    struct constraint c = p->at[p->bound_of[v]];
    fmpq_t slope, constant;
    fmpq_init(slope);
    fmpq_init(constant);
    fmpq_mpoly_get_term_coeff_fmpq(slope, c.poly->value, 0, p->ring->ctx);
    if (fmpq_mpoly_length(c.poly->value, p->ring->ctx) > 1)
        fmpq_mpoly_get_term_coeff_fmpq(constant, c.poly->value, 1, p->ring->ctx);
    if (constraint_below(c)) {
        fmpq_neg(slope, slope);
        fmpq_neg(constant, constant);
    }
    if (p->plain && fmpq_sgn(constant) < 0)
        fmpq_neg(p->offset[v], constant);
    fmpq_add(constant, constant, p->offset[v]);
    fmpq_mpoly_sub_fmpq(image, image, constant, p->ctx);
    fmpq_mpoly_scalar_div_fmpq(image, image, slope, p->ctx);
    fmpq_clear(slope);
    fmpq_clear(constant);
}

/* What each ring variable is in the counted ones. */
static fmpq_mpoly_struct **images_make(struct prover *p)
{
    fmpq_mpoly_struct **images = ARENA_ARRAY(p->arena, fmpq_mpoly_struct *, RING_CAPACITY),
                      *zero = products_value(p);
    for (int v = 0; v < RING_CAPACITY; v++)
        images[v] = zero;
    for (int v = 0; v < p->variables; v++) {
        fmpq_mpoly_struct *image = p->image[v] = images[p->ring_variable[v]] = products_value(p);
        p->offset[v] = rational_new(p->arena);
        fmpq_mpoly_gen(image, v, p->ctx);
        if (p->bound_of[v] != SIZE_MAX)
            image_set(p, image, v);
    }
    return images;
}

/* Constraint i as a form in counted variables. */
static bool form_make(struct prover *p, size_t i, fmpq_mpoly_struct *const *images)
{
    struct constraint c = p->at[i];
    struct form *form = &p->forms[i];
    form->p = products_value(p);
    if (!fmpq_mpoly_compose_fmpq_mpoly(form->p, c.poly->value, images, p->ring->ctx, p->ctx))
        return false;
    if (constraint_below(c))
        fmpq_mpoly_neg(form->p, form->p, p->ctx);
    if (c.relation == RELATION_NE)
        fmpq_mpoly_mul(form->p, form->p, form->p, p->ctx);
    form->relation = c.relation == RELATION_EQ                                ? RELATION_EQ
                     : c.relation == RELATION_LE || c.relation == RELATION_GE ? RELATION_GE
                                                                              : RELATION_GT;
    int v = linear_variable(p, c.poly);
    form->bound = v >= 0 && p->bound_of[v] == i && fmpq_is_zero(p->offset[v]);
    return budget_take(p->budget, 1 + (uint64_t)fmpq_mpoly_length(form->p, p->ctx));
}

static bool prover_init(struct prover *p)
{
    variables_number(p);
    fmpq_mpoly_ctx_init(p->ctx, p->variables, ORD_DEGLEX);
    arena_on_free(p->arena, ctx_clear, p->ctx);
    bounds_choose(p);
    p->forms = ARENA_ARRAY(p->arena, struct form, p->count + 1);
    fmpq_mpoly_struct **images = images_make(p);
    for (size_t i = 0; i < p->count; i++)
        if (!form_make(p, i, images))
            return false;
    return true;
}

/* Candidate k enters the program. */
static void row_activate(struct prover *p, size_t k, fmpz *dense)
{
    struct candidate *c = &p->pool.at[k];
    const fmpq_mpoly_struct *value = c->form->p;
    fmpq_t constant;
    fmpq_init(constant);
    memset(dense, 0, p->columns.count * sizeof *dense);
    for (slong i = 0; i < value->zpoly->length; i++) {
        if (c->columns[i] == SIZE_MAX)
            fmpz_neg(fmpq_numref(constant), value->zpoly->coeffs + i);
        else
            dense[c->columns[i]] = value->zpoly->coeffs[i];
    }
    size_t item = simplex_row(p->simplex, dense), number = p->columns.count + p->rows.count;
    bool upper = fmpq_sgn(value->content) < 0, equation = c->form->relation == RELATION_EQ;
    simplex_bound(p->simplex, item, upper, constant, c->form->relation == RELATION_GT, number);
    if (equation)
        simplex_bound(p->simplex, item, !upper, constant, false, number);
    fmpq_clear(constant);
    vec_push(p->arena, &p->rows, k);
    c->active = true;
}

/* By how much the functional misses what the candidate needs, over the sum of its coefficients'
   sizes (0: it does not). */
static double candidate_violation(const struct prover *p, const struct candidate *c)
{
    const fmpq_mpoly_struct *value = c->form->p;
    fmpq_t sum, part;
    fmpq_init(sum);
    fmpq_init(part);
    double size = 0, violation = 0;
    for (slong i = 0; i < value->zpoly->length; i++) {
        fmpq_set_fmpz(part, value->zpoly->coeffs + i);
        double coefficient = fmpz_get_d(value->zpoly->coeffs + i);
        size += coefficient < 0 ? -coefficient : coefficient;
        if (c->columns[i] == SIZE_MAX)
            fmpq_add(sum, sum, part);
        else
            fmpq_addmul(sum, part, simplex_value(p->simplex, c->columns[i]));
    }
    int sign = fmpq_sgn(sum) * fmpq_sgn(value->content);
    bool wrong = c->form->relation == RELATION_EQ   ? sign != 0
                 : c->form->relation == RELATION_GT ? sign <= 0
                                                    : sign < 0;
    if (wrong) {
        violation = fmpz_get_d(fmpq_numref(sum)) / fmpz_get_d(fmpq_denref(sum)) / size;
        violation = (violation < 0 ? -violation : violation) + 1e-9;
    }
    fmpq_clear(sum);
    fmpq_clear(part);
    return violation;
}

/* The worst candidates enter; false if there is none (or no room). */
static bool rows_choose(struct prover *p, fmpz *dense)
{
    size_t chosen[ROWS_AT_ONCE], count = 0;
    double worst[ROWS_AT_ONCE];
    for (size_t k = 0; k < p->pool.count; k++) {
        double violation = p->pool.at[k].active ? 0 : candidate_violation(p, &p->pool.at[k]);
        if (violation <= 0)
            continue;
        size_t at = count;
        while (at > 0 && worst[at - 1] < violation)
            at--;
        if (at == ROWS_AT_ONCE)
            continue;
        count += count < ROWS_AT_ONCE;
        for (size_t i = count - 1; i > at; i--) {
            worst[i] = worst[i - 1];
            chosen[i] = chosen[i - 1];
        }
        worst[at] = violation;
        chosen[at] = k;
    }
    for (size_t i = 0; i < count && p->rows.count < ROW_LIMIT; i++)
        row_activate(p, chosen[i], dense);
    return count && p->rows.count < ROW_LIMIT;
}

/* Is there a refutation in the pool? Its multipliers stand in the simplex then. */
static bool pool_refutes(struct prover *p)
{
    fmpq_t zero;
    fmpq_init(zero);
    p->simplex = simplex_new(p->arena, p->columns.count, ROW_LIMIT);
    p->rows.count = 0;
    for (size_t j = 0; j < p->columns.count; j++)
        if (monomial_positive(p, p->columns.at[j]))
            simplex_bound(p->simplex, j, false, zero, monomial_strict(p, p->columns.at[j]), j);
    fmpq_clear(zero);
    for (size_t k = 0; k < p->pool.count; k++)
        p->pool.at[k].active = false;
    fmpz *dense = ARENA_ARRAY(p->arena, fmpz, p->columns.count + 1);
    size_t first = p->pool.count < 2 * ROWS_AT_ONCE ? p->pool.count : 2 * ROWS_AT_ONCE;
    for (size_t k = 0; k < first; k++)
        row_activate(p, k, dense);
    for (;;) {
        uint64_t work = p->budget->left;
        int feasible = simplex_solve(p->simplex, &work);
        budget_take(p->budget, p->budget->left - work);
        if (feasible <= 0)
            return feasible == 0;
        simplex_settle(p->simplex);
        if (!budget_take(p->budget, p->terms / 2) || !rows_choose(p, dense))
            return false;
    }
}

static void factor_add(struct product_term *term, int kind, size_t hypothesis,
                       const struct poly *poly)
{
    term->factors[term->count++] = (struct product_factor){kind, hypothesis, poly};
}

/* A monomial in counted variables as a polynomial of the ring; NULL beyond its limits. */
static const struct poly *monomial_poly(struct prover *p, const ulong *exponents)
{
    const struct poly *product = poly_integer(p->ring, 1);
    for (int v = 0; exponents && v < p->variables; v++) {
        if (!exponents[v])
            continue;
        struct poly *x = poly_new(p->ring);
        fmpq_mpoly_gen(x->value, p->ring_variable[v], p->ring->ctx);
        if (p->bound_of[v] != SIZE_MAX) {
            struct constraint c = p->at[p->bound_of[v]];
            (constraint_below(c) ? fmpq_mpoly_neg : fmpq_mpoly_set)(x->value, c.poly->value,
                                                                    p->ring->ctx);
            fmpq_mpoly_add_fmpq(x->value, x->value, p->offset[v], p->ring->ctx);
        }
        product = poly_mul(product, poly_power(x, (unsigned)exponents[v]));
    }
    return product;
}

/* The proof in the making. */
struct writer {
    struct prover *p;
    struct arena *arena;
    VEC(struct product_term) terms;
    fmpq *constant;   /* what the terms' multipliers leave */
};

/* A new term: the factors of `base`, then `more`. */
static struct product_term term_make(struct writer *w, const struct product_term *base,
                                     const fmpq *coefficient, size_t more)
{
    struct product_term term = {rational_new(w->arena), NULL, base ? base->count : 0};
    fmpq_set(term.coefficient, coefficient);
    term.factors = ARENA_ARRAY(w->arena, struct product_factor, term.count + more + 1);
    if (term.count)
        memcpy(term.factors, base->factors, term.count * sizeof *term.factors);
    return term;
}

/* Adds the term times the counted variables from v on to their exponents; one with an offset makes
   a sum. */
static void term_expand(struct writer *w, const struct product_term *term, const ulong *exponents,
                        int v)
{
    struct prover *p = w->p;
    while (v < p->variables && (!exponents[v] || p->bound_of[v] == SIZE_MAX))
        v++;
    if (v == p->variables) {
        vec_push(w->arena, &w->terms, *term);
        return;
    }
    fmpq_t scale;
    fmpz_t binomial;
    fmpq_init(scale);
    fmpz_init(binomial);
    for (ulong k = fmpq_is_zero(p->offset[v]) ? exponents[v] : 0; k <= exponents[v]; k++) {
        fmpz_bin_uiui(binomial, exponents[v], k);
        fmpq_pow_si(scale, p->offset[v], (slong)(exponents[v] - k));
        fmpq_mul_fmpz(scale, scale, binomial);
        fmpq_mul(scale, scale, term->coefficient);
        struct product_term next = term_make(w, term, scale, k);
        for (ulong i = 0; i < k; i++)
            factor_add(&next, FACTOR_HYPOTHESIS, p->bound_of[v], NULL);
        term_expand(w, &next, exponents, v + 1);
    }
    fmpq_clear(scale);
    fmpz_clear(binomial);
}

/* Multiplies an inequality by a positive monomial: what has no bound makes a square. */
static void monomial_write(struct writer *w, struct product_term *term, const ulong *exponents)
{
    ulong *half = ARENA_ARRAY(w->p->arena, ulong, w->p->variables + 1);
    bool any = false;
    for (int v = 0; v < w->p->variables; v++)
        if (w->p->bound_of[v] == SIZE_MAX && exponents[v]) {
            half[v] = exponents[v] / 2;
            any = true;
        }
    if (any)
        factor_add(term, FACTOR_SQUARE, 0, monomial_poly(w->p, half));
    term_expand(w, term, exponents, 0);
}

/* Adds a candidate with its multiplier, and its constant coefficient to the constant. */
static void candidate_write(struct writer *w, const struct candidate *c, const fmpq *multiplier)
{
    const fmpq_mpoly_struct *value = c->form->p;
    struct product_term term = term_make(w, NULL, multiplier, c->count + 3);
    if (!fmpq_is_zero(value->content))
        fmpq_div(term.coefficient, multiplier, value->content);
    for (size_t i = 0; i < c->count; i++)
        factor_add(&term, FACTOR_HYPOTHESIS, c->factors[i], NULL);
    if (c->a) {
        const struct poly *a = monomial_poly(w->p, c->a), *b = monomial_poly(w->p, c->b);
        factor_add(&term, FACTOR_SQUARE, 0, c->sign > 0 ? poly_add(a, b) : poly_sub(a, b));
    }
    if (c->variable >= 0)
        factor_add(&term, FACTOR_SQUARE, 0,
                   poly_variable(w->p->ring, w->p->ring_variable[c->variable]));
    if (c->monomial && c->form->relation == RELATION_EQ)
        factor_add(&term, FACTOR_TIMES, 0, monomial_poly(w->p, c->monomial));
    if (c->monomial && c->form->relation != RELATION_EQ)
        monomial_write(w, &term, c->monomial);
    else
        vec_push(w->arena, &w->terms, term);
    fmpq_t part;
    fmpq_init(part);
    for (slong i = 0; i < value->zpoly->length; i++) {
        if (c->columns[i] != SIZE_MAX)
            continue;
        fmpq_mul_fmpz(part, multiplier, value->zpoly->coeffs + i);
        fmpq_add(w->constant, w->constant, part);
    }
    fmpq_clear(part);
}

/* The conflict of the simplex as a proof: what the terms sum to is a constant, not positive; it is
   made up for. */
static void proof_take(struct prover *p, struct arena *arena, struct product_proof *proof)
{
    struct writer w = {.p = p, .arena = arena, .constant = rational_new(arena)};
    size_t count;
    const size_t *numbers = simplex_conflict(p->simplex, &count);
    const fmpq *multipliers = simplex_multipliers(p->simplex);
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] >= p->columns.count) {
            candidate_write(&w, &p->pool.at[p->rows.at[numbers[i] - p->columns.count]],
                            multipliers + i);
            continue;
        }
        struct product_term term = term_make(&w, NULL, multipliers + i, 1);
        monomial_write(&w, &term, p->columns.at[numbers[i]]);
    }
    if (fmpq_sgn(w.constant) < 0) {
        struct product_term term = term_make(&w, NULL, w.constant, 0);
        fmpq_neg(term.coefficient, term.coefficient);
        vec_push(arena, &w.terms, term);
    }
    *proof = (struct product_proof){w.terms.at, w.terms.count};
}

bool handelman_prove(struct arena *arena, const struct product_question *question,
                     struct product_search search, struct budget *budget,
                     struct product_proof *proof)
{
    struct arena *scratch = arena_new();
    struct prover *p = ARENA_NEW(scratch, struct prover);
    *p = (struct prover){.arena = scratch,
                         .ring = question->ring,
                         .budget = budget,
                         .at = question->at,
                         .count = question->count,
                         .plain = search.plain};
    bool proved = false;
    if (prover_init(p))
        for (int level = 0; !proved && level < search.levels && !budget->spent; level++) {
            size_t known = p->pool.count;
            products_level(p, level);
            proved = (p->pool.count > known || !level) && pool_refutes(p);
        }
    if (proved)
        proof_take(p, arena, proof);
    arena_free(scratch);
    return proved;
}
