/* Signs at the sample. In: a polynomial whose variables are assigned; out: its exact sign. Rational
   samples: the value is computed. Otherwise balls at 64 bits decide nearly always; where they
   contain zero the least absolute value that is not zero is bounded from below (separation.c), and
   precision grows until the ball excludes zero or is below that bound. */
#include "constraints/real/real.h"

enum { DIVISION_BITS = 2048 };

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
    int sign = sample->g.budget->spent || arb_contains_zero(ball) ? SIGN_UNDECIDED
               : arb_is_positive(ball)                            ? 1
                                                                  : -1;
    arb_clear(ball);
    return sign;
}

/* The last irrational coordinate that occurs in p, which has one. */
static const struct coordinate *sample_last(struct sample *sample, const fmpz_mpoly_struct *p)
{
    sample_look(sample, p);
    for (size_t i = sample->used; i-- > 0;)
        if (sample->use[i]->root)
            return sample->use[i];
    return NULL;
}

/* Does the polynomial of the last coordinate that occurs divide p? For where the bound is far
   away. */
static bool divided(struct sample *sample, const fmpz_mpoly_struct *p)
{
    const struct algebra *g = &sample->g;
    const struct coordinate *c = sample_last(sample, p);
    fmpz_mpoly_t d;
    fmpz_mpoly_init(d, g->ctx);
    dense_to(g, d, family_dense(sample, c->root->family), c->variable);
    bool zero = budget_take(g->budget, (uint64_t)p->length * (uint64_t)d->length) &&
                fmpz_mpoly_divides(d, p, d, g->ctx);
    fmpz_mpoly_clear(d, g->ctx);
    return zero;
}

static int sign_exact(struct sample *sample, const fmpz_mpoly_struct *p)
{
    struct size size;
    arb_t ball;
    int sign = SIGN_UNDECIDED;
    size_init(sample, &size);
    size_add(sample, &size, p);
    arb_init(ball);
    double separation = size_separation(sample, &size);
    if (separation > DIVISION_BITS && divided(sample, p))
        sign = 0;
    for (slong bits = PRECISION_FIRST; sign == SIGN_UNDECIDED && !sample->g.budget->spent;) {
        sample_enclose(sample, ball, 1, p, -1, bits);
        if (sample->g.budget->spent)
            break;
        sign = ball_sign(ball, separation);
        if (sign == SIGN_UNDECIDED)
            bits = precision_next(sample->g.budget, bits, ball, separation);
    }
    arb_clear(ball);
    size_clear(&size);
    return sign;
}

/* p has irrational coordinates: the rational ones are put in, so that the coefficients are
   integers. */
static int sign_specialised(struct sample *sample, const fmpz_mpoly_struct *p)
{
    fmpz_mpoly_t r;
    int sign;
    fmpz_mpoly_init(r, sample->g.ctx);
    sample_look(sample, p);
    sample_specialise(sample, r, p);
    if (sample_look(sample, r))
        sign = sign_exact(sample, r);
    else
        sign = sign_rational(sample, r);
    fmpz_mpoly_clear(r, sample->g.ctx);
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
    return sign != SIGN_UNDECIDED || sample->g.budget->spent ? sign : sign_specialised(sample, p);
}

/* Drops leading coefficients that vanish at the sample. */
void dense_strip(struct sample *sample, struct dense *a)
{
    while (a->length > 0 && !sample->g.budget->spent) {
        fmpz_mpoly_struct *lead = &a->at[a->length - 1];
        if (sample_sign(sample, lead) != 0)
            return;
        fmpz_mpoly_zero(lead, sample->g.ctx);
        a->length--;
        dense_normalise(&sample->g, a);
    }
}

int root_sign(struct sample *sample, struct root *root, const struct dense *a)
{
    struct size size;
    arb_poly_t f;
    arb_t x, y;
    int sign = SIGN_UNDECIDED;
    size_init(sample, &size);
    arb_poly_init2(f, a->length);
    arb_init(x);
    arb_init(y);
    for (slong i = 0; i < a->length; i++)
        size_add(sample, &size, &a->at[i]);
    size_eliminate(sample, &size, (double)(a->length - 1), family_size(sample, root->family),
                   family_degree(root->family));
    double separation = size_separation(sample, &size);
    for (slong bits = PRECISION_FIRST; sign == SIGN_UNDECIDED && !sample->g.budget->spent;) {
        dense_enclose(sample, f, a, bits);
        if (!root_refine(sample, root, bits))
            break;
        arb_set_interval_arf(x, &root->lo, &root->hi, bits + 16);
        arb_poly_evaluate(y, f, x, bits);
        sign = sample->g.budget->spent ? SIGN_UNDECIDED : ball_sign(y, separation);
        if (sign == SIGN_UNDECIDED)
            bits = precision_next(sample->g.budget, bits, y, separation);
    }
    size_clear(&size);
    arb_poly_clear(f);
    arb_clear(x);
    arb_clear(y);
    return sign;
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
