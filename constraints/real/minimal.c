/* Minimal polynomials, for output. In: a coordinate; out: its irreducible polynomial over Q and an
   interval with simple ends that holds no other root of it. Over irrational coordinates its
   polynomial is replaced by norms: the resultant with the polynomial of the coordinate before it,
   from the last one to the first; of the resultant's factors those are kept that are not certainly
   other than zero at the sample. A resultant that vanishes identically at the sample is caused by a
   conjugate of the coordinate eliminated; then the conjugates that are not to blame are taken
   alone. */
#include "constraints/real/real.h"
#include "constraints/real/subresultant.h"

/* The product of the factors of p that may vanish at the sample, as far as 512 bits tell. */
static void keep_vanishing(struct sample *sample, fmpz_mpoly_t p)
{
    const fmpz_mpoly_ctx_struct *ctx = sample->g.ctx;
    fmpz_mpoly_factor_t factors;
    arb_t ball;
    fmpz_mpoly_factor_init(factors, ctx);
    arb_init(ball);
    budget_take(sample->g.budget, (uint64_t)p->length * (uint64_t)p->length);
    if (!sample->g.budget->spent && fmpz_mpoly_factor(factors, p, ctx)) {
        fmpz_mpoly_one(p, ctx);
        for (slong i = 0; i < factors->num; i++) {
            sample_enclose(sample, ball, 1, &factors->poly[i], -1, PRECISION_FIRST);
            if (arb_contains_zero(ball))
                sample_enclose(sample, ball, 1, &factors->poly[i], -1, 8 * PRECISION_FIRST);
            if (arb_contains_zero(ball))
                algebra_mul(&sample->g, p, p, &factors->poly[i]);
        }
    }
    arb_clear(ball);
    fmpz_mpoly_factor_clear(factors, ctx);
}

/* r := resultant of d and norm in the coordinate's variable; zero if the budget is spent. */
static void resultant(struct sample *sample, fmpz_mpoly_t r, const fmpz_mpoly_t d,
                      const fmpz_mpoly_t norm, int variable, const fmpz_mpoly_ctx_struct *ctx)
{
    struct arena *scratch = arena_new();
    struct subresultants *s = subresultants_new(scratch, ctx, d, norm, variable);
    const fmpz_mpoly_struct *value = subresultants_principal(s, 0, sample->g.budget);
    if (value)
        fmpz_mpoly_set(r, value, ctx);
    else
        fmpz_mpoly_zero(r, ctx);
    arena_free(scratch);
}

/* The resultant of d and norm + t: the product of norm + t over the roots of d. Its lowest
   coefficient in t that does not vanish at the sample is the product over those roots where norm
   does not vanish identically. */
static void resultant_lowest(struct sample *sample, fmpz_mpoly_t r, const fmpz_mpoly_t d,
                             const fmpz_mpoly_t norm, int variable, int free)
{
    fmpz_mpoly_ctx_t more;
    fmpz_mpoly_t a, b, t;
    int t_variable = sample->variables;
    struct algebra g = {more, sample->g.budget};
    struct dense by_t;
    slong *map = flint_malloc((size_t)(t_variable + 1) * sizeof *map);
    for (int v = 0; v <= t_variable; v++)
        map[v] = v;
    fmpz_mpoly_ctx_init(more, t_variable + 1, fmpz_mpoly_ctx_ord(sample->g.ctx));
    fmpz_mpoly_init(a, more);
    fmpz_mpoly_init(b, more);
    fmpz_mpoly_init(t, more);
    fmpz_mpoly_compose_fmpz_mpoly_gen(a, d, map, sample->g.ctx, more);
    fmpz_mpoly_compose_fmpz_mpoly_gen(b, norm, map, sample->g.ctx, more);
    fmpz_mpoly_gen(t, t_variable, more);
    fmpz_mpoly_add(b, b, t, more);
    resultant(sample, t, a, b, variable, more);
    dense_init(&by_t);
    dense_from(&g, &by_t, t, t_variable);
    map[t_variable] = -1;
    for (slong e = 0; e < by_t.length && !sample->g.budget->spent; e++) {
        fmpz_mpoly_compose_fmpz_mpoly_gen(r, &by_t.at[e], map, more, sample->g.ctx);
        if (sample_degree(sample, r, free) >= 0)
            break;
    }
    dense_clear(&g, &by_t);
    fmpz_mpoly_clear(a, more);
    fmpz_mpoly_clear(b, more);
    fmpz_mpoly_clear(t, more);
    fmpz_mpoly_ctx_clear(more);
    flint_free(map);
}

/* norm := resultant of the polynomial of coordinate c and norm, a polynomial in `variable` that
   does not vanish at the sample. */
static void eliminate(struct sample *sample, struct coordinate *c, fmpz_mpoly_t norm, int variable)
{
    const fmpz_mpoly_ctx_struct *ctx = sample->g.ctx;
    fmpz_mpoly_t d, r;
    fmpz_mpoly_init(d, ctx);
    fmpz_mpoly_init(r, ctx);
    dense_to(&sample->g, d, family_dense(sample, c->root->family), c->variable);
    resultant(sample, r, d, norm, c->variable, ctx);
    if (!sample->g.budget->spent && sample_degree(sample, r, variable) < 0)
        resultant_lowest(sample, r, d, norm, c->variable, variable);
    fmpz_mpoly_swap(norm, r, ctx);
    fmpz_mpoly_clear(d, ctx);
    fmpz_mpoly_clear(r, ctx);
    keep_vanishing(sample, norm);
}

/* f := a polynomial over Z with coordinate i as a root. */
static void norm_of(struct sample *sample, size_t i, fmpz_poly_t f)
{
    struct coordinate *c = &sample->at[i];
    const fmpz_mpoly_ctx_struct *ctx = sample->g.ctx;
    fmpz_mpoly_t norm;
    if (c->root->family->univariate) {
        fmpz_poly_set(f, c->root->family->f);
        return;
    }
    fmpz_mpoly_init(norm, ctx);
    dense_to(&sample->g, norm, family_dense(sample, c->root->family), c->variable);
    for (size_t j = i; j-- > 0 && !sample->g.budget->spent;)
        if (sample->at[j].root && mpoly_degree_in(norm, sample->at[j].variable, ctx) > 0)
            eliminate(sample, &sample->at[j], norm, c->variable);
    if (!fmpz_mpoly_get_fmpz_poly(f, norm, c->variable, ctx) || fmpz_poly_is_zero(f))
        budget_end(sample->g.budget, "a minimal polynomial could not be computed");
    fmpz_mpoly_clear(norm, ctx);
}

/* The number of the factor that has the root; they have no roots in common, so that all others can
   be excluded. */
static slong choose(struct sample *sample, struct root *root, const fmpz_poly_factor_t factors)
{
    arb_t x, y;
    arb_poly_t f;
    slong chosen = -1;
    arb_init(x);
    arb_init(y);
    arb_poly_init(f);
    for (slong bits = PRECISION_FIRST; chosen < 0 && root_enclose(sample, root, bits, x);
         bits *= 2) {
        slong left = 0, last = -1;
        for (slong i = 0; i < factors->num; i++) {
            arb_poly_set_fmpz_poly(f, factors->p + i, 2 * bits);
            arb_poly_evaluate(y, f, x, 2 * bits);
            if (arb_contains_zero(y)) {
                left++;
                last = i;
            }
        }
        if (left == 1)
            chosen = last;
        if (chosen < 0 && (left == 0 || bits > PRECISION_LIMIT))
            budget_end(sample->g.budget, "a minimal polynomial could not be computed");
    }
    arb_clear(x);
    arb_clear(y);
    arb_poly_clear(f);
    return chosen;
}

/* [lo, hi] = [m, m + 1] / 2^k around the irrational root. */
static bool dyadic_around(struct sample *sample, struct root *root, slong k, fmpq_t lo, fmpq_t hi)
{
    fmpz_t m, n, den;
    arf_t t;
    bool good = true;
    fmpz_init(m);
    fmpz_init(n);
    fmpz_init(den);
    arf_init(t);
    for (slong narrow = k; good; narrow += 16) {
        good = root_narrow(sample, root, -narrow);
        arf_mul_2exp_si(t, &root->lo, k);
        arf_get_fmpz(m, t, ARF_RND_FLOOR);
        arf_mul_2exp_si(t, &root->hi, k);
        arf_get_fmpz(n, t, ARF_RND_CEIL);
        fmpz_sub_ui(n, n, 1);
        if (fmpz_equal(m, n))
            break;
    }
    fmpz_one(den);
    fmpz_mul_2exp(den, den, (ulong)k);
    fmpq_set_fmpz_frac(lo, m, den);
    fmpz_add_ui(m, m, 1);
    fmpq_set_fmpz_frac(hi, m, den);
    fmpz_clear(m);
    fmpz_clear(n);
    fmpz_clear(den);
    arf_clear(t);
    return good;
}

/* Is exactly one of the roots in [lo, hi]? */
static bool one_within(struct sample *sample, const struct batch *batch, const fmpq_t lo,
                       const fmpq_t hi)
{
    size_t within = 0;
    for (size_t i = 0; i < batch->count; i++)
        within += root_compare_rational(sample, &batch->roots[i], lo) >= 0 &&
                  root_compare_rational(sample, &batch->roots[i], hi) <= 0;
    return within == 1;
}

/* The least k for which [m, m + 1] / 2^k holds the coordinate and no other root of f, irreducible
   of degree two or more. */
static bool surround(struct sample *sample, struct root *root, const fmpz_poly_t f, fmpq_t lo,
                     fmpq_t hi)
{
    struct arena *scratch = arena_new();
    struct batch *batch = batch_new(scratch, NULL, root->batch->variable, (size_t)f->length);
    fmpz_poly_t copy;
    fmpz_poly_init(copy);
    fmpz_poly_set(copy, f);
    bool good = batch_univariate(sample, batch, copy);
    for (slong k = 0; good; k++) {
        good = dyadic_around(sample, root, k, lo, hi) && !sample->g.budget->spent;
        if (good && one_within(sample, batch, lo, hi))
            break;
    }
    fmpz_poly_clear(copy);
    arena_free(scratch);
    return good && !sample->g.budget->spent;
}

static void minimal_rational(fmpz_poly_t polynomial, fmpq_t lo, fmpq_t hi, const fmpq *value)
{
    fmpz_poly_zero(polynomial);
    fmpz_poly_set_coeff_fmpz(polynomial, 1, fmpq_denref(value));
    fmpz_poly_set_coeff_fmpz(polynomial, 0, fmpq_numref(value));
    fmpz_neg(polynomial->coeffs, polynomial->coeffs);
    _fmpz_poly_normalise(polynomial);
    fmpq_set(lo, value);
    fmpq_set(hi, value);
}

bool sample_minimal(struct sample *sample, size_t i, fmpz_poly_t polynomial, fmpq_t lo, fmpq_t hi)
{
    struct coordinate *c = &sample->at[i];
    fmpz_poly_factor_t factors;
    bool good = false;
    if (!c->root || c->root->rational) {
        minimal_rational(polynomial, lo, hi, c->root ? &c->root->value : &c->value);
        return !sample->g.budget->spent;
    }
    norm_of(sample, i, polynomial);
    if (sample->g.budget->spent)
        return false;
    fmpz_poly_factor_init(factors);
    fmpz_poly_factor(factors, polynomial);
    slong chosen = choose(sample, c->root, factors);
    if (chosen >= 0) {
        fmpz_poly_set(polynomial, factors->p + chosen);
        if (fmpz_sgn(fmpz_poly_lead(polynomial)) < 0)
            fmpz_poly_neg(polynomial, polynomial);
        good = true;
    }
    fmpz_poly_factor_clear(factors);
    if (good && polynomial->length == 2) {
        fmpq_set_fmpz_frac(lo, polynomial->coeffs, polynomial->coeffs + 1);
        fmpq_neg(lo, lo);
        fmpq_set(hi, lo);
        return true;
    }
    return good && surround(sample, c->root, polynomial, lo, hi);
}
