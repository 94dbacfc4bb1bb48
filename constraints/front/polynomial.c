/* Arithmetic of the question's polynomials beyond what FLINT offers in one call: substitution of a
   fraction, coefficients in one variable, cross products, values at rational points. Results are in
   the question's arena; temporaries are cleared on the way out. */
#include "constraints/front/question.h"

fmpz_mpoly_struct *mpoly_coefficient(struct question *q, const fmpz_mpoly_struct *p, int variable,
                                     unsigned exponent)
{
    fmpz_mpoly_struct *coefficient = mpoly_new(q);
    mpoly_take_coefficient(coefficient, p, variable, exponent, q->ctx);
    return coefficient;
}

fmpz_mpoly_struct *mpoly_constant(struct question *q, const fmpz *value)
{
    fmpz_mpoly_struct *constant = mpoly_new(q);
    fmpz_mpoly_set_fmpz(constant, value, q->ctx);
    return constant;
}

unsigned mpoly_degree(const struct question *q, const fmpz_mpoly_struct *p, int variable)
{
    slong degree = mpoly_degree_in(p, variable, q->ctx);
    return degree > 0 ? (unsigned)degree : 0;
}

int mpoly_univariate(const struct question *q, const fmpz_mpoly_struct *p)
{
    int used[RING_CAPACITY], only = -1;
    mpoly_used(used, p, q->ctx);
    for (int v = 0; v < q->variables; v++) {
        if (used[v] && only >= 0)
            return -1;
        if (used[v])
            only = v;
    }
    return only;
}

/* Horner's scheme: the sum of c_k num^k den^(degree - k). */
fmpz_mpoly_struct *mpoly_substitute(struct question *q, const fmpz_mpoly_struct *p, int variable,
                                    const fmpz_mpoly_struct *num, const fmpz_mpoly_struct *den)
{
    unsigned degree = mpoly_degree(q, p, variable);
    bool whole = fmpz_mpoly_is_one(den, q->ctx);
    fmpz_mpoly_struct *result = mpoly_coefficient(q, p, variable, degree);
    fmpz_mpoly_t power, term;
    fmpz_mpoly_init(power, q->ctx);
    fmpz_mpoly_init(term, q->ctx);
    fmpz_mpoly_one(power, q->ctx);
    for (unsigned k = degree;
         k-- > 0 && question_spend_product(q, result, num) && question_spend(q, result);) {
        fmpz_mpoly_mul(result, result, num, q->ctx);
        mpoly_take_coefficient(term, p, variable, k, q->ctx);
        if (!whole) {
            fmpz_mpoly_mul(power, power, den, q->ctx);
            fmpz_mpoly_mul(term, term, power, q->ctx);
        }
        fmpz_mpoly_add(result, result, term, q->ctx);
    }
    fmpz_mpoly_clear(power, q->ctx);
    fmpz_mpoly_clear(term, q->ctx);
    return result;
}

fmpz_mpoly_struct *mpoly_cross(struct question *q, const fmpz_mpoly_struct *a,
                               const fmpz_mpoly_struct *b, const fmpz_mpoly_struct *c,
                               const fmpz_mpoly_struct *d)
{
    fmpz_mpoly_struct *result = mpoly_new(q);
    if (!question_spend_product(q, a, b) || !question_spend_product(q, c, d))
        return result;
    fmpz_mpoly_t product;
    fmpz_mpoly_init(product, q->ctx);
    fmpz_mpoly_mul(result, a, b, q->ctx);
    fmpz_mpoly_mul(product, c, d, q->ctx);
    fmpz_mpoly_sub(result, result, product, q->ctx);
    fmpz_mpoly_clear(product, q->ctx);
    return result;
}

void mpoly_value(struct question *q, fmpq_t value, const fmpz_mpoly_struct *p, const fmpq *point)
{
    ulong exponents[RING_CAPACITY];
    fmpq_t term, power;
    fmpq_init(term);
    fmpq_init(power);
    fmpq_zero(value);
    for (slong i = 0; i < p->length; i++) {
        mpoly_exponents(exponents, p, i, q->ctx);
        fmpq_set_fmpz(term, p->coeffs + i);
        for (int v = 0; v < q->variables; v++) {
            if (!exponents[v])
                continue;
            fmpq_pow_si(power, point + v, (slong)exponents[v]);
            fmpq_mul(term, term, power);
        }
        fmpq_add(value, value, term);
    }
    fmpq_clear(term);
    fmpq_clear(power);
}
