/* Packed terms against FLINT's own functions: random polynomials over contexts of 1 to 64
   variables, with and without a degree order, whose exponents need fields of 8 bits up to a whole
   word. Held equal: exponents, used variables, degrees, coefficients in one variable, terms that
   are pushed, and the order of terms that were sorted; no divisor is refused. */
#include "constraints/flint.h"
#include "tests/unit/check.h"
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 400, TERMS = 6, VARIABLES = 64 };

struct draws {
    flint_rand_t state;
    fmpz_mpoly_ctx_t ctx;
    slong variables;
    fmpz_mpoly_t p;
};

static struct check results;

static void held(bool good, const char *what, int round)
{
    results.passed += good;
    results.failed += !good;
    if (!good)
        printf("FAILED: %s, round %d\n", what, round);
}

/* Mostly zero, as in systems. */
static void exponents_draw(struct draws *d, ulong *exponents, ulong limit)
{
    for (slong v = 0; v < d->variables; v++)
        exponents[v] = n_randint(d->state, 4) ? 0 : n_randint(d->state, limit);
}

static void draw(struct draws *d)
{
    static const ulong LIMITS[] = {2, 5, 120, 300, 70000, (ulong)1 << 40};
    ulong limit = LIMITS[n_randint(d->state, 6)];
    d->variables = 1 + (slong)n_randint(d->state, VARIABLES);
    fmpz_mpoly_ctx_init(d->ctx, d->variables, n_randint(d->state, 2) ? ORD_LEX : ORD_DEGLEX);
    fmpz_mpoly_init(d->p, d->ctx);
    for (slong terms = (slong)n_randint(d->state, TERMS); terms > 0; terms--) {
        ulong exponents[VARIABLES];
        exponents_draw(d, exponents, limit);
        fmpz_mpoly_set_coeff_si_ui(d->p, 1 + (slong)n_randint(d->state, 9), exponents, d->ctx);
    }
}

static void exponents_check(struct draws *d, int round)
{
    for (slong i = 0; i < d->p->length; i++) {
        ulong ours[VARIABLES], theirs[VARIABLES];
        mpoly_exponents(ours, d->p, i, d->ctx);
        fmpz_mpoly_get_term_exp_ui(theirs, d->p, i, d->ctx);
        held(!memcmp(ours, theirs, (size_t)d->variables * sizeof *ours), "exponents", round);
    }
    int ours[VARIABLES], theirs[VARIABLES];
    mpoly_used(ours, d->p, d->ctx);
    fmpz_mpoly_used_vars(theirs, d->p, d->ctx);
    held(!memcmp(ours, theirs, (size_t)d->variables * sizeof *ours), "used variables", round);
}

static void degrees_check(struct draws *d, int round)
{
    slong v = (slong)n_randint(d->state, (ulong)d->variables);
    held(mpoly_degree_in(d->p, v, d->ctx) == fmpz_mpoly_degree_si(d->p, v, d->ctx), "degree",
         round);
    held(mpoly_total_degree(d->p, d->ctx) == fmpz_mpoly_total_degree_si(d->p, d->ctx),
         "total degree", round);
}

static void coefficient_check(struct draws *d, int round)
{
    slong v = (slong)n_randint(d->state, (ulong)d->variables), degree;
    fmpz_mpoly_t ours, theirs;
    fmpz_mpoly_init(ours, d->ctx);
    fmpz_mpoly_init(theirs, d->ctx);
    degree = fmpz_mpoly_degree_si(d->p, v, d->ctx);
    for (int k = 0; k < 3; k++) {
        ulong exponents[1] = {k < 2 ? (ulong)k : degree > 0 ? (ulong)degree : 300};
        mpoly_take_coefficient(ours, d->p, v, exponents[0], d->ctx);
        fmpz_mpoly_get_coeff_vars_ui(theirs, d->p, &v, exponents, 1, d->ctx);
        held(fmpz_mpoly_equal(ours, theirs, d->ctx), "coefficient", round);
        held(fmpz_mpoly_is_canonical(ours, d->ctx), "coefficient in order", round);
    }
    fmpz_mpoly_clear(ours, d->ctx);
    fmpz_mpoly_clear(theirs, d->ctx);
}

/* What divides is not refused, and what is refused does not divide. */
static void divide_check(struct draws *d, int round)
{
    fmpz_mpoly_t factor, product, quotient;
    fmpz_mpoly_init(factor, d->ctx);
    fmpz_mpoly_init(product, d->ctx);
    fmpz_mpoly_init(quotient, d->ctx);
    for (int k = 0; k < 2; k++) {
        ulong exponents[VARIABLES];
        exponents_draw(d, exponents, 3);
        fmpz_mpoly_set_coeff_si_ui(factor, 1 + (slong)n_randint(d->state, 5), exponents, d->ctx);
    }
    fmpz_mpoly_mul(product, factor, d->p, d->ctx);
    held(!d->p->length || mpoly_may_divide(factor, product, d->ctx), "a factor", round);
    if (d->p->length && !mpoly_may_divide(factor, d->p, d->ctx))
        held(!fmpz_mpoly_divides(quotient, d->p, factor, d->ctx), "no factor", round);
    fmpz_mpoly_clear(factor, d->ctx);
    fmpz_mpoly_clear(product, d->ctx);
    fmpz_mpoly_clear(quotient, d->ctx);
}

static void push_check(struct draws *d, int round)
{
    fmpz_mpoly_t copy;
    fmpz_mpoly_init(copy, d->ctx);
    for (slong i = d->p->length; i-- > 0;) {
        ulong exponents[VARIABLES];
        fmpz_mpoly_get_term_exp_ui(exponents, d->p, i, d->ctx);
        mpoly_push(copy, d->p->coeffs + i, exponents, d->ctx);
    }
    bool sorted = mpoly_is_sorted(copy, d->ctx);
    held(!sorted || fmpz_mpoly_is_canonical(copy, d->ctx), "terms that fall", round);
    held(sorted == (d->p->length < 2), "terms that rise", round);
    fmpz_mpoly_sort_terms(copy, d->ctx);
    held(fmpz_mpoly_equal(copy, d->p, d->ctx), "terms pushed", round);
    held(mpoly_is_sorted(copy, d->ctx), "terms sorted", round);
    fmpz_mpoly_clear(copy, d->ctx);
}

int main(void)
{
    struct draws d;
    check_test(&results);
    flint_randinit(d.state);
    for (int round = 0; round < ROUNDS; round++) {
        draw(&d);
        exponents_check(&d, round);
        degrees_check(&d, round);
        coefficient_check(&d, round);
        divide_check(&d, round);
        push_check(&d, round);
        fmpz_mpoly_clear(d.p, d.ctx);
        fmpz_mpoly_ctx_clear(d.ctx);
    }
    flint_randclear(d.state);
    flint_cleanup();
    return check_end(&results, "constraints_terms");
}
