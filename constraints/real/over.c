/* Real roots over irrational coordinates. In: a polynomial in these coordinates and the free
   variable; out: its distinct real roots at the sample. Coefficients that vanish there are dropped
   at both ends by exact zero tests; the rest is isolated by balls, which is a proof that the real
   roots are simple. Where that fails at the first precisions there may be multiple roots: for
   degree two the sign of the discriminant tells, else see multiple.c. A short reduction modulo the
   coordinates' polynomials comes first: it often shows that the coefficients are rational. */
#include "constraints/real/real.h"
#include <limits.h>

enum { SHORT_BITS = 256, FIRST_ATTEMPTS = 2 };

/* p modulo the polynomial of the coordinate: a multiple of it by a number that is not zero. */
static void reduce_by(struct sample *sample, fmpz_mpoly_t p, const struct coordinate *c)
{
    const struct algebra *g = &sample->g;
    struct dense a, r;
    dense_init(&a);
    dense_init(&r);
    dense_from(g, &a, p, c->variable);
    dense_divide(g, NULL, &r, &a, family_dense(sample, c->root->family));
    dense_primitive(g, &r);
    dense_to(g, p, &r, c->variable);
    dense_clear(g, &a);
    dense_clear(g, &r);
}

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
            reduce_by(sample, q, c);
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

/* a is without zero as a root, of degree one at least; it is used up. */
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
    dense_set(&sample->g, &family->d, a);
    if (a->length <= 3)
        return batch_isolate(sample, batch, family, zero, INT_MAX);
    return batch_isolate(sample, batch, family, zero, FIRST_ATTEMPTS) ||
           (!sample->g.budget->spent && batch_multiple(sample, batch, a, zero));
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
