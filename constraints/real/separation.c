/* How small a value at the sample can be without being zero. In: the degrees of an integer
   polynomial p in the irrational coordinates and its length L (the sum of the absolute values of
   its coefficients); out: b with |p(s)| >= 2^-b unless p(s) = 0, so that a ball that contains zero
   and is smaller than that proves zero. Let s_k be a root of d_k(s_1 … s_(k-1), x_k), of degree n
   and leading coefficient c there, q the degree of p in x_k, K and K' the fields with and without
   s_k. v' = c^q * Norm_(K/K')(p(s)) is zero only if p(s) is, and for every absolute value of every
   conjugate |v'| is at most L^n * L(d_k)^q times the product over j < k of max(1, |s_j|)^(n * deg_j
   p + q * deg_j d_k), with lengths replaced by one for the absolute values of primes: the
   conjugates of s_k over K' are distinct roots of d_k, and |c| times the product of max(1, |root|)
   over all roots is Mahler's measure, at most the length, or by Gauss's lemma the maximum of the
   coefficients. So v' is to K' what p(s) is to K; at the end stands a number that is an integer,
   and if not zero at least one in absolute value, while it is at most |p(s)| times the last length.
   Neither irreducibility nor that other conjugates behave well is used. It is Liouville's
   inequality; compare Waldschmidt, Diophantine Approximation on Linear Algebraic Groups, 3.5. */
#include "constraints/real/real.h"

void size_init(const struct sample *sample, struct size *size)
{
    size->bits = 0;
    size->degrees = flint_calloc((size_t)sample->variables, sizeof *size->degrees);
}

void size_clear(struct size *size)
{
    flint_free(size->degrees);
}

void size_add(struct sample *sample, struct size *size, const fmpz_mpoly_struct *p)
{
    fmpz_t sum;
    fmpz_init(sum);
    for (slong i = 0; i < p->length; i++)
        if (fmpz_sgn(p->coeffs + i) < 0)
            fmpz_sub(sum, sum, p->coeffs + i);
        else
            fmpz_add(sum, sum, p->coeffs + i);
    double bits = (double)fmpz_bits(sum);
    size->bits = bits > size->bits ? bits + 1 : size->bits + (bits > 0);
    fmpz_clear(sum);
    sample_look(sample, p);
    for (size_t j = 0; j < sample->used; j++) {
        int v = sample->use[j]->variable;
        if ((double)sample->degrees[v] > size->degrees[v])
            size->degrees[v] = (double)sample->degrees[v];
    }
}

const struct size *family_size(struct sample *sample, struct family *family)
{
    if (family->size.degrees)
        return &family->size;
    const struct dense *d = family_dense(sample, family);
    family->size.degrees = ARENA_ARRAY(family->arena, double, sample->variables);
    for (slong i = 0; i < d->length; i++)
        size_add(sample, &family->size, &d->at[i]);
    return &family->size;
}

void size_eliminate(const struct sample *sample, struct size *size, double q, const struct size *d,
                    slong n)
{
    for (int v = 0; v < sample->variables; v++)
        size->degrees[v] = (double)n * size->degrees[v] + q * d->degrees[v];
    size->bits = (double)n * size->bits + q * d->bits;
}

double size_separation(struct sample *sample, struct size *size)
{
    for (size_t i = sample->height; i-- > 0;) {
        const struct coordinate *c = &sample->at[i];
        double q = size->degrees[c->variable];
        if (c->root && q > 0)
            size_eliminate(sample, size, q, family_size(sample, c->root->family),
                           family_degree(c->root->family));
    }
    return size->bits + 1;
}

/* The ball's absolute values are below 2^-separation. */
static bool smaller(const arb_t ball, double separation)
{
    mag_t m;
    if (separation > 2 * (double)EVALUATION_LIMIT)
        return false;
    mag_init(m);
    arb_get_mag(m, ball);
    bool below = mag_cmp_2exp_si(m, -(slong)separation) < 0;
    mag_clear(m);
    return below;
}

int ball_sign(const arb_t ball, double separation)
{
    if (!arb_contains_zero(ball))
        return arb_is_positive(ball) ? 1 : -1;
    return smaller(ball, separation) ? 0 : SIGN_UNDECIDED;
}

slong precision_next(struct budget *budget, slong bits, const arb_t ball, double separation)
{
    double next = 2 * (double)bits;
    if (bits >= 4 * PRECISION_FIRST && arb_is_finite(ball)) {
        double excess = (double)arf_abs_bound_lt_2exp_si(arb_midref(ball)),
               radius = (double)MAG_EXP(arb_radref(ball));
        double most = excess > radius ? excess : radius;
        double whole = (double)bits + most + separation + 32;
        next = whole > next ? whole : next;
    }
    if (bits < EVALUATION_LIMIT && next > (double)EVALUATION_LIMIT)
        next = (double)EVALUATION_LIMIT;
    if (next > (double)EVALUATION_LIMIT)
        budget_end(budget, "a sign could not be decided within the limit of precision");
    return (slong)next;
}
