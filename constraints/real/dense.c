/* Polynomials in one variable over polynomial coefficients. In: fmpz_mpoly and a variable; out:
   pseudo-quotients and pseudo-remainders, as in Knuth, The Art of Computer Programming 2, 4.6.1.
   Work is counted before it is done: a product by the numbers of terms and the words of the
   coefficients. A spent budget makes every result zero. */
#include "constraints/real/dense.h"

static uint64_t words(const fmpz_mpoly_struct *a)
{
    return 1 + (uint64_t)FLINT_ABS(fmpz_mpoly_max_bits(a)) / 64;
}

void algebra_mul(const struct algebra *g, fmpz_mpoly_struct *r, const fmpz_mpoly_struct *a,
                 const fmpz_mpoly_struct *b)
{
    uint64_t terms = (uint64_t)a->length * (uint64_t)b->length;
    if (budget_take(g->budget, 1 + terms * (words(a) + words(b)) / 2))
        fmpz_mpoly_mul(r, a, b, g->ctx);
    else
        fmpz_mpoly_zero(r, g->ctx);
}

void algebra_div(const struct algebra *g, fmpz_mpoly_struct *r, const fmpz_mpoly_struct *a,
                 const fmpz_mpoly_struct *b)
{
    if (b->length == 0 || !budget_take(g->budget, 1 + (uint64_t)a->length * words(a))) {
        fmpz_mpoly_zero(r, g->ctx);
        return;
    }
    uint64_t terms = (uint64_t)b->length;
    if (!fmpz_mpoly_divides(r, a, b, g->ctx))
        fmpz_mpoly_zero(r, g->ctx);
    budget_take(g->budget, terms * (uint64_t)r->length);
}

void algebra_pow(const struct algebra *g, fmpz_mpoly_struct *r, const fmpz_mpoly_struct *a,
                 ulong exponent)
{
    fmpz_mpoly_t base;
    fmpz_mpoly_init(base, g->ctx);
    fmpz_mpoly_set(base, a, g->ctx);
    fmpz_mpoly_one(r, g->ctx);
    for (ulong i = 0; i < exponent && !g->budget->spent; i++)
        algebra_mul(g, r, r, base);
    fmpz_mpoly_clear(base, g->ctx);
}

void algebra_lazard(const struct algebra *g, fmpz_mpoly_struct *r, const fmpz_mpoly_struct *a,
                    const fmpz_mpoly_struct *b, ulong n)
{
    fmpz_mpoly_t power;
    ulong bit = 1;
    fmpz_mpoly_init(power, g->ctx);
    fmpz_mpoly_set(power, a, g->ctx);
    while (bit <= n / 2)
        bit *= 2;
    while (bit > 1 && !g->budget->spent) {
        bit /= 2;
        algebra_mul(g, power, power, power);
        algebra_div(g, power, power, b);
        if (n & bit) {
            algebra_mul(g, power, power, a);
            algebra_div(g, power, power, b);
        }
    }
    fmpz_mpoly_swap(r, power, g->ctx);
    fmpz_mpoly_clear(power, g->ctx);
}

void algebra_primitive(const struct algebra *g, fmpz_mpoly_struct *a)
{
    fmpz_t content;
    fmpz_init(content);
    _fmpz_vec_content(content, a->coeffs, a->length);
    if (!fmpz_is_zero(content) && !fmpz_is_one(content))
        fmpz_mpoly_scalar_divexact_fmpz(a, a, content, g->ctx);
    fmpz_clear(content);
}

void dense_init(struct dense *a)
{
    *a = (struct dense){0};
}

void dense_clear(const struct algebra *g, struct dense *a)
{
    for (slong i = 0; i < a->capacity; i++)
        fmpz_mpoly_clear(&a->at[i], g->ctx);
    flint_free(a->at);
    *a = (struct dense){0};
}

void dense_swap(struct dense *a, struct dense *b)
{
    struct dense c = *a;
    *a = *b;
    *b = c;
}

void dense_fit(const struct algebra *g, struct dense *a, slong length)
{
    if (length <= a->capacity)
        return;
    a->at = flint_realloc(a->at, (size_t)length * sizeof *a->at);
    for (slong i = a->capacity; i < length; i++)
        fmpz_mpoly_init(&a->at[i], g->ctx);
    a->capacity = length;
}

void dense_zero(const struct algebra *g, struct dense *a)
{
    for (slong i = 0; i < a->length; i++)
        fmpz_mpoly_zero(&a->at[i], g->ctx);
    a->length = 0;
}

void dense_set(const struct algebra *g, struct dense *a, const struct dense *b)
{
    if (a == b)
        return;
    dense_zero(g, a);
    dense_fit(g, a, b->length);
    for (slong i = 0; i < b->length; i++)
        fmpz_mpoly_set(&a->at[i], &b->at[i], g->ctx);
    a->length = b->length;
}

void dense_normalise(const struct algebra *g, struct dense *a)
{
    while (a->length > 0 && fmpz_mpoly_is_zero(&a->at[a->length - 1], g->ctx))
        a->length--;
}

void dense_from(const struct algebra *g, struct dense *a, const fmpz_mpoly_struct *p, int variable)
{
    fmpz_mpoly_univar_t u;
    dense_zero(g, a);
    if (!budget_take(g->budget, 1 + (uint64_t)p->length))
        return;
    fmpz_mpoly_univar_init(u, g->ctx);
    fmpz_mpoly_to_univar(u, p, variable, g->ctx);
    for (slong i = 0; i < u->length; i++) {
        slong e = fmpz_get_si(&u->exps[i]);
        if (a->length <= e) {
            dense_fit(g, a, e + 1);
            a->length = e + 1;
        }
        fmpz_mpoly_swap(&a->at[e], &u->coeffs[i], g->ctx);
    }
    fmpz_mpoly_univar_clear(u, g->ctx);
}

/* fmpz_mpoly_univar_set_coeff_ui of FLINT 2.9 writes beyond its array when it inserts: the terms
   are written here, by falling exponents as FLINT keeps them. */
void dense_to(const struct algebra *g, fmpz_mpoly_struct *p, const struct dense *a, int variable)
{
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_univar_init(u, g->ctx);
    fmpz_mpoly_univar_fit_length(u, a->length, g->ctx);
    for (slong i = a->length - 1; i >= 0; i--) {
        if (fmpz_mpoly_is_zero(&a->at[i], g->ctx))
            continue;
        fmpz_set_si(&u->exps[u->length], i);
        fmpz_mpoly_set(&u->coeffs[u->length++], &a->at[i], g->ctx);
    }
    fmpz_mpoly_from_univar(p, u, variable, g->ctx);
    fmpz_mpoly_univar_clear(u, g->ctx);
}

void dense_derivative(const struct algebra *g, struct dense *r, const struct dense *a)
{
    dense_zero(g, r);
    if (a->length < 2)
        return;
    dense_fit(g, r, a->length - 1);
    for (slong i = 1; i < a->length; i++)
        fmpz_mpoly_scalar_mul_si(&r->at[i - 1], &a->at[i], i, g->ctx);
    r->length = a->length - 1;
}

/* One step of the division: r and quotient times lc(b), minus lc(r) * variable^shift * b. */
static void divide_step(const struct algebra *g, struct dense *quotient, struct dense *r,
                        const struct dense *b)
{
    slong top = r->length - 1, shift = r->length - b->length;
    const fmpz_mpoly_struct *lead = &b->at[b->length - 1];
    bool unit = fmpz_mpoly_is_one(lead, g->ctx);
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, g->ctx);
    for (slong i = 0; i < top; i++) {
        if (!unit)
            algebra_mul(g, &r->at[i], &r->at[i], lead);
        if (i >= shift) {
            algebra_mul(g, t, &r->at[top], &b->at[i - shift]);
            fmpz_mpoly_sub(&r->at[i], &r->at[i], t, g->ctx);
        }
    }
    if (quotient) {
        for (slong i = 0; i < quotient->length && !unit; i++)
            algebra_mul(g, &quotient->at[i], &quotient->at[i], lead);
        fmpz_mpoly_swap(&quotient->at[shift], &r->at[top], g->ctx);
    }
    fmpz_mpoly_zero(&r->at[top], g->ctx);
    r->length = top;
    fmpz_mpoly_clear(t, g->ctx);
}

void dense_divide(const struct algebra *g, struct dense *quotient, struct dense *r,
                  const struct dense *a, const struct dense *b)
{
    slong left = a->length - b->length + 1;
    const fmpz_mpoly_struct *lead = &b->at[b->length - 1];
    dense_set(g, r, a);
    if (quotient) {
        dense_zero(g, quotient);
        dense_fit(g, quotient, left > 0 ? left : 0);
        quotient->length = left > 0 ? left : 0;
    }
    for (; r->length >= b->length && !g->budget->spent; left--) {
        divide_step(g, quotient, r, b);
        dense_normalise(g, r);
    }
    for (; left > 0 && !g->budget->spent; left--) {
        for (slong i = 0; i < r->length; i++)
            algebra_mul(g, &r->at[i], &r->at[i], lead);
        for (slong i = 0; quotient && i < quotient->length; i++)
            algebra_mul(g, &quotient->at[i], &quotient->at[i], lead);
    }
    if (g->budget->spent)
        dense_zero(g, r);
    if (quotient)
        dense_normalise(g, quotient);
}

void dense_primitive(const struct algebra *g, struct dense *a)
{
    fmpz_t content, c;
    fmpz_init(content);
    fmpz_init(c);
    for (slong i = 0; i < a->length && !fmpz_is_one(content); i++) {
        _fmpz_vec_content(c, a->at[i].coeffs, a->at[i].length);
        fmpz_gcd(content, content, c);
    }
    if (!fmpz_is_zero(content) && !fmpz_is_one(content))
        for (slong i = 0; i < a->length; i++)
            fmpz_mpoly_scalar_divexact_fmpz(&a->at[i], &a->at[i], content, g->ctx);
    fmpz_clear(content);
    fmpz_clear(c);
}
