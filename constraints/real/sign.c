/* Signs at the sample. In: a polynomial whose variables are assigned; out: its exact sign. Rational samples: the value is
   computed. Otherwise balls at 64 bits decide nearly always; where they contain zero the polynomial is reduced modulo
   the coordinates' polynomials, tried at 128 and 256 bits, and tested for zero exactly; if it is not, precision grows
   until the ball excludes zero, which it must. */
#include "constraints/real/real.h"

static int sign_rational(struct sample *sample, const fmpz_mpoly_struct *p)
{
    fmpz_poly_t value;
    budget_take(sample->g.budget, 1 + (uint64_t)p->length);
    fmpz_poly_init(value);
    sample_specialise_univariate(sample, value, p, -1);
    int sign = fmpz_poly_is_zero(value) ? 0 : fmpz_sgn(value->coeffs);
    fmpz_poly_clear(value);
    return sign;
}

static int sign_ball(struct sample *sample, const fmpz_mpoly_struct *p, slong bits)
{
    arb_t ball;
    arb_init(ball);
    sample_enclose(sample, ball, 1, p, -1, bits);
    int sign = sample->g.budget->spent || arb_contains_zero(ball) ? SIGN_UNDECIDED : arb_is_positive(ball) ? 1 : -1;
    arb_clear(ball);
    return sign;
}

static int sign_exact(struct sample *sample, const fmpz_mpoly_struct *p)
{
    fmpz_mpoly_t r;
    int zero, sign = SIGN_UNDECIDED;
    fmpz_mpoly_init(r, sample->g.ctx);
    sample_look(sample, p);
    sample_specialise(sample, r, p);
    sample_reduce(sample, r);
    zero = fmpz_mpoly_is_zero(r, sample->g.ctx);
    for (slong bits = 2 * PRECISION_FIRST; !zero && sign == SIGN_UNDECIDED && bits <= 4 * PRECISION_FIRST; bits *= 2)
        sign = sign_ball(sample, p, bits);
    if (!zero && sign == SIGN_UNDECIDED)
        zero = sample_zero(sample, r);
    fmpz_mpoly_clear(r, sample->g.ctx);
    if (zero == 1 && !sample->g.budget->spent)
        return 0;
    for (slong bits = 8 * PRECISION_FIRST; sign == SIGN_UNDECIDED && !sample->g.budget->spent; bits *= 2) {
        if (bits > PRECISION_LIMIT)
            budget_end(sample->g.budget, "a sign could not be decided within the limit of precision");
        else
            sign = sign_ball(sample, p, bits);
    }
    return sign;
}

int sample_sign(struct sample *sample, const fmpz_mpoly_t p)
{
    const fmpz_mpoly_ctx_struct *ctx = sample->g.ctx;
    if (sample->g.budget->spent)
        return SIGN_UNDECIDED;
    if (fmpz_mpoly_is_fmpz(p, ctx))
        return fmpz_mpoly_is_zero(p, ctx) ? 0 : fmpz_sgn(p->coeffs);
    if (!sample_look(sample, p))
        return sign_rational(sample, p);
    int sign = sign_ball(sample, p, PRECISION_FIRST);
    return sign != SIGN_UNDECIDED || sample->g.budget->spent ? sign : sign_exact(sample, p);
}

/* The highest exponent whose coefficient is not zero: first by balls, then exactly from the top. */
int sample_degree(struct sample *sample, const fmpz_mpoly_t p, int variable)
{
    struct dense a;
    int degree;
    if (sample->g.budget->spent)
        return -2;
    dense_init(&a);
    dense_from(&sample->g, &a, p, variable);
    dense_strip(sample, &a);
    degree = (int)a.length - 1;
    dense_clear(&sample->g, &a);
    return sample->g.budget->spent ? -2 : degree;
}
