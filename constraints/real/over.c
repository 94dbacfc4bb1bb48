/* Real roots over irrational coordinates. In: a polynomial in these coordinates and the free variable; out: its distinct
   real roots at the sample. Coefficients that vanish there are dropped at both ends by exact zero tests; the rest is
   isolated by balls, which is a proof that the real roots are simple. Where that fails at the first precisions the
   polynomial is divided by its greatest common divisor with its derivative over the point; for degree two the sign of the
   discriminant tells. A short reduction modulo the coordinates' polynomials comes first: it often shows that the
   coefficients are rational. */
#include "constraints/real/real.h"
#include <limits.h>

enum { SHORT_BITS = 256, FIRST_ATTEMPTS = 2 };

/* Reduces where coefficients stay short. */
static void reduce_short(struct sample *sample, fmpz_mpoly_t q)
{
    sample_look(sample, q);
    for (size_t i = 0; i < sample->height; i++) {
        struct coordinate *c = &sample->at[i];
        if (!c->root || !c->root->family->univariate)
            continue;
        const fmpz_poly_struct *f = c->root->family->f;
        slong excess = sample->degrees[c->variable] - f->length + 2, bits = fmpz_poly_max_bits(f);
        if (excess > 0 && excess * (bits < 0 ? -bits : bits) < SHORT_BITS)
            sample_reduce_by(sample, q, c);
    }
}

/* Drops low coefficients that vanish at the sample; true if there were some. */
static bool strip_low(struct sample *sample, struct dense *a)
{
    slong low = 0;
    while (low < a->length && !sample->g.budget->spent && sample_sign(sample, &a->at[low]) == 0)
        low++;
    for (slong i = 0; low > 0 && i + low < a->length; i++)
        fmpz_mpoly_swap(&a->at[i], &a->at[i + low], sample->g.ctx);
    a->length -= low;
    return low > 0;
}

/* Sign of b^2 - 4ac. */
static int discriminant_sign(struct sample *sample, const struct dense *a)
{
    const struct algebra *g = &sample->g;
    fmpz_mpoly_t d, e;
    fmpz_mpoly_init(d, g->ctx);
    fmpz_mpoly_init(e, g->ctx);
    algebra_mul(g, d, &a->at[1], &a->at[1]);
    algebra_mul(g, e, &a->at[0], &a->at[2]);
    fmpz_mpoly_scalar_mul_si(e, e, 4, g->ctx);
    fmpz_mpoly_sub(d, d, e, g->ctx);
    int sign = sample_sign(sample, d);
    fmpz_mpoly_clear(d, g->ctx);
    fmpz_mpoly_clear(e, g->ctx);
    return sign;
}

/* Divides the polynomial by a common divisor with its derivative: as polynomials in all variables, or the greatest one
   over the point. False if there is none. */
static bool make_squarefree(struct sample *sample, struct dense *a, int variable, bool point)
{
    struct dense derivative, common, rest;
    dense_init(&derivative);
    dense_init(&common);
    dense_init(&rest);
    dense_derivative(&sample->g, &derivative, a);
    bool found;
    if (point) {
        sample_sharpen(sample, -1);
        dense_gcd(sample, &common, a, &derivative, variable);
        found = common.length > 1 && !sample->g.budget->spent;
        if (found)
            dense_quotient(sample, &rest, a, &common, variable);
    } else {
        found = dense_common(sample, &common, &rest, a, &derivative, variable);
    }
    if (found)
        dense_swap(&rest, a);
    dense_clear(&sample->g, &derivative);
    dense_clear(&sample->g, &common);
    dense_clear(&sample->g, &rest);
    return found;
}

/* a is without zero as a root, of degree one at least; it is taken over. */
static bool roots_of(struct sample *sample, struct batch *batch, struct dense *a, bool zero)
{
    struct family *family = family_new(batch->arena, sample->g.ctx, batch->variable);
    if (a->length == 3) {
        int sign = discriminant_sign(sample, a);
        if (sign < 0 && zero)
            batch_rational(batch);
        if (sign < 0 || sign == SIGN_UNDECIDED)
            return sign < 0;
        if (sign == 0) {
            struct dense derivative;
            dense_init(&derivative);
            dense_derivative(&sample->g, &derivative, a);
            dense_swap(&derivative, a);
            dense_clear(&sample->g, &derivative);
        }
    }
    dense_swap(&family->d, a);
    if (family->d.length > 3) {
        if (batch_isolate(sample, batch, family, zero, FIRST_ATTEMPTS))
            return true;
        family->precision = 0;
        if (make_squarefree(sample, &family->d, batch->variable, false) &&
            batch_isolate(sample, batch, family, zero, FIRST_ATTEMPTS))
            return true;
        if (sample->g.budget->spent)
            return false;
        make_squarefree(sample, &family->d, batch->variable, true);
        family->precision = 0;
    }
    return batch_isolate(sample, batch, family, zero, INT_MAX);
}

bool batch_over(struct sample *sample, struct batch *batch, fmpz_mpoly_t q)
{
    bool good = false;
    struct dense a;
    reduce_short(sample, q);
    if (!sample_look(sample, q)) {
        fmpz_poly_t f;
        fmpz_poly_init(f);
        sample_specialise_univariate(sample, f, q, batch->variable);
        good = !fmpz_poly_is_zero(f) && batch_univariate(sample, batch, f);
        fmpz_poly_clear(f);
        return good;
    }
    dense_init(&a);
    dense_from(&sample->g, &a, q, batch->variable);
    dense_strip(sample, &a);
    if (a.length > 0 && !sample->g.budget->spent) {
        bool zero = strip_low(sample, &a);
        if (a.length > 1)
            good = roots_of(sample, batch, &a, zero);
        else if (zero)
            batch_rational(batch);
        good |= a.length == 1;
    }
    dense_clear(&sample->g, &a);
    return good && !sample->g.budget->spent;
}
