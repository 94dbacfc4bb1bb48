/* Zero tests. In: a polynomial in the irrational coordinates; out: whether it vanishes at the sample, exactly. It is
   reduced; if its last coordinate remains, it vanishes exactly if the greatest common divisor of it and of the coordinate's
   polynomial d over the coordinates before has that coordinate as a root; as the root is simple in d and alone in its
   interval, the divisor changes sign there exactly then. What is learned is kept: the coordinate's polynomial is replaced
   by the divisor or by its cofactor. A polynomial over Z is replaced by its irreducible factor first, so that division
   decides. */
#include "constraints/real/real.h"

/* From now on the root is known by another polynomial of which it is a simple root. */
static void root_replace(struct sample *sample, struct root *root, struct family *family)
{
    int sign = dense_sign_at(sample, family_dense(sample, family), &root->lo);
    if (sign == SIGN_UNDECIDED)
        return;
    root->family = family;
    root->sign = sign;
}

static struct family *family_of(struct sample *sample, const struct root *root, struct dense *d)
{
    struct family *family = family_new(root->batch->arena, sample->g.ctx, root->batch->variable);
    dense_swap(&family->d, d);
    return family;
}

/* Has the polynomial different signs at the ends of the root's interval? SIGN_UNDECIDED if the budget is spent. */
static int changes_sign(struct sample *sample, const struct root *root, const struct dense *a)
{
    int lo = dense_sign_at(sample, a, &root->lo), hi = dense_sign_at(sample, a, &root->hi);
    return lo == SIGN_UNDECIDED || hi == SIGN_UNDECIDED ? SIGN_UNDECIDED : lo != hi;
}

/* The irreducible factor over Z that has the root. */
static void sharpen_univariate(struct sample *sample, struct root *root)
{
    struct family *family = root->family;
    fmpz_poly_factor_t factors;
    slong length = family->f->length, bits = FLINT_ABS(fmpz_poly_max_bits(family->f));
    if (family->irreducible || !budget_take(sample->g.budget, (uint64_t)(length * length * length * (1 + bits / 64))))
        return;
    fmpz_poly_factor_init(factors);
    fmpz_poly_factor(factors, family->f);
    family->irreducible = factors->num == 1;
    for (slong i = 0; i < factors->num && !root->family->irreducible; i++) {
        struct family *factor = family_new(root->batch->arena, sample->g.ctx, root->batch->variable);
        factor->univariate = true;
        factor->irreducible = true;
        fmpz_poly_set(factor->f, factors->p + i);
        if (changes_sign(sample, root, family_dense(sample, factor)) == 1)
            root_replace(sample, root, factor);
    }
    fmpz_poly_factor_clear(factors);
}

/* Makes the leading coefficient an integer. */
static void sharpen_monic(struct sample *sample, struct root *root)
{
    struct dense d;
    const struct dense *old = family_dense(sample, root->family);
    if (fmpz_mpoly_is_fmpz(&old->at[old->length - 1], sample->g.ctx))
        return;
    dense_init(&d);
    dense_set(&sample->g, &d, old);
    dense_monic(sample, &d, root->batch->variable);
    if (!sample->g.budget->spent)
        root_replace(sample, root, family_of(sample, root, &d));
    dense_clear(&sample->g, &d);
}

void sample_sharpen(struct sample *sample, int variable)
{
    for (size_t i = 0; i < sample->height && sample->at[i].variable != variable && !sample->g.budget->spent; i++) {
        struct root *root = sample->at[i].root;
        if (root && root->family->univariate)
            sharpen_univariate(sample, root);
        else if (root)
            sharpen_monic(sample, root);
    }
}

/* g divides the root's polynomial at the sample, properly: is it zero at the root? The better of g and the cofactor
   becomes the root's polynomial. */
static int root_split(struct sample *sample, struct root *root, struct dense *g)
{
    int zero = changes_sign(sample, root, g);
    struct dense q;
    if (zero == SIGN_UNDECIDED)
        return zero;
    dense_init(&q);
    if (zero)
        dense_swap(&q, g);
    else
        dense_quotient(sample, &q, family_dense(sample, root->family), g, root->batch->variable);
    if (!sample->g.budget->spent) {
        struct family *family = family_of(sample, root, &q);
        dense_monic(sample, &family->d, root->batch->variable);
        root_replace(sample, root, family);
    }
    dense_clear(&sample->g, &q);
    return zero;
}

/* Over Z: 1 or 0 if division by the root's irreducible polynomial decides, else SIGN_UNDECIDED. */
static int by_division(struct sample *sample, struct root *root, const struct dense *a)
{
    fmpz_poly_t f, q;
    if (!root->family->univariate)
        return SIGN_UNDECIDED;
    for (slong i = 0; i < a->length; i++)
        if (!fmpz_mpoly_is_fmpz(&a->at[i], sample->g.ctx))
            return SIGN_UNDECIDED;
    sharpen_univariate(sample, root);
    fmpz_poly_init2(f, a->length);
    fmpz_poly_init(q);
    for (slong i = 0; i < a->length; i++)
        fmpz_mpoly_get_fmpz(f->coeffs + i, &a->at[i], sample->g.ctx);
    _fmpz_poly_set_length(f, a->length);
    fmpz_poly_primitive_part(f, f);
    int zero = fmpz_poly_divides(q, f, root->family->f);
    fmpz_poly_clear(f);
    fmpz_poly_clear(q);
    return zero;
}

/* Over the point; `common` has a common divisor as polynomials in all variables tried first. */
static int by_divisor(struct sample *sample, struct root *root, const struct dense *b, bool common)
{
    const struct dense *d = family_dense(sample, root->family);
    int answer = SIGN_UNDECIDED;
    struct dense g, rest;
    dense_init(&g);
    dense_init(&rest);
    if (common) {
        if (dense_common(sample, &g, &rest, d, b, root->batch->variable))
            answer = changes_sign(sample, root, &g) == 1 ? 1 : SIGN_UNDECIDED;
    } else {
        sample_sharpen(sample, root->batch->variable);
        dense_gcd(sample, &g, d, b, root->batch->variable);
        if (!sample->g.budget->spent)
            answer = g.length == 1 ? 0 : g.length == d->length ? 1 : root_split(sample, root, &g);
    }
    dense_clear(&sample->g, &g);
    dense_clear(&sample->g, &rest);
    return answer;
}

int root_of(struct sample *sample, struct root *root, const struct dense *a)
{
    int answer;
    struct dense b;
    dense_init(&b);
    dense_set(&sample->g, &b, a);
    dense_strip(sample, &b);
    if (b.length < 2)
        answer = b.length == 0;
    else
        answer = by_division(sample, root, &b);
    if (answer == SIGN_UNDECIDED)
        answer = by_divisor(sample, root, &b, true);
    if (answer == SIGN_UNDECIDED)
        answer = by_divisor(sample, root, &b, false);
    dense_clear(&sample->g, &b);
    return sample->g.budget->spent ? SIGN_UNDECIDED : answer;
}

int sample_zero(struct sample *sample, const fmpz_mpoly_struct *p)
{
    const struct algebra *g = &sample->g;
    int answer = SIGN_UNDECIDED;
    fmpz_mpoly_t r;
    struct dense a;
    fmpz_mpoly_init(r, g->ctx);
    fmpz_mpoly_set(r, p, g->ctx);
    sample_reduce(sample, r);
    struct coordinate *c = sample_last(sample, r);
    if (!c) {
        answer = fmpz_mpoly_is_zero(r, g->ctx);
    } else {
        dense_init(&a);
        dense_from(g, &a, r, c->variable);
        answer = root_of(sample, c->root, &a);
        dense_clear(g, &a);
    }
    fmpz_mpoly_clear(r, g->ctx);
    return g->budget->spent ? SIGN_UNDECIDED : answer;
}
