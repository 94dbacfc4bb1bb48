/* Algebra at the sample: exact zero tests, greatest common divisors over the point. The irrational coordinates form a
   tower: each is a simple root of its family's polynomial d, the only one in its interval. To see whether p vanishes,
   p is pseudo-reduced modulo the d of its coordinates (factors that do not vanish); if its last coordinate remains, p
   vanishes exactly if the greatest common divisor of d and p over the coordinates before it has that coordinate as a
   root; as that root is simple in d, the divisor changes sign in the interval exactly then. The divisor comes from
   Euclid's algorithm over the point: remainders are reduced, and leading coefficients that vanish at the point, a
   question about fewer coordinates, are dropped. What is learned is kept: the coordinate's polynomial is replaced by the
   divisor or its cofactor, so that towers split as they are used (Della Dora, Dicrescenzo, Duval, "About a new method
   for computing in algebraic number fields", EUROCAL 1985). */
#include "constraints/real/real.h"

void sample_reduce_by(struct sample *sample, fmpz_mpoly_t p, struct coordinate *c)
{
    const struct algebra *g = &sample->g;
    const struct dense *d = family_dense(sample, c->root->family);
    struct dense a, r;
    if (fmpz_mpoly_degree_si(p, c->variable, g->ctx) < d->length - 1)
        return;
    dense_init(&a);
    dense_init(&r);
    dense_from(g, &a, p, c->variable);
    dense_divide(g, NULL, &r, &a, d);
    dense_primitive(g, &r);
    dense_to(g, p, &r, c->variable);
    dense_clear(g, &a);
    dense_clear(g, &r);
}

void sample_reduce(struct sample *sample, fmpz_mpoly_t p)
{
    for (size_t i = sample->height; i-- > 0 && !sample->g.budget->spent && !fmpz_mpoly_is_fmpz(p, sample->g.ctx);)
        if (sample->at[i].root)
            sample_reduce_by(sample, p, &sample->at[i]);
    algebra_primitive(&sample->g, p);
}

static void dense_reduce(struct sample *sample, struct dense *a, int variable)
{
    fmpz_mpoly_t p;
    if (a->length == 0)
        return;
    fmpz_mpoly_init(p, sample->g.ctx);
    dense_to(&sample->g, p, a, variable);
    for (size_t i = sample->height; i-- > 0 && !sample->g.budget->spent;)
        if (sample->at[i].root && sample->at[i].variable != variable)
            sample_reduce_by(sample, p, &sample->at[i]);
    dense_from(&sample->g, a, p, variable);
    dense_primitive(&sample->g, a);
    fmpz_mpoly_clear(p, sample->g.ctx);
}

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

/* A polynomial in `variable` seen over the coordinates before that of `variable`, or over all of them if it is none: the
   others do not occur in its coefficients. */
void dense_gcd(struct sample *sample, struct dense *g, const struct dense *a, const struct dense *b, int variable)
{
    struct dense u, v, r;
    dense_init(&u);
    dense_init(&v);
    dense_init(&r);
    dense_set(&sample->g, &u, a->length >= b->length ? a : b);
    dense_set(&sample->g, &v, a->length >= b->length ? b : a);
    while (v.length > 1 && !sample->g.budget->spent) {
        dense_divide(&sample->g, NULL, &r, &u, &v);
        dense_reduce(sample, &r, variable);
        dense_strip(sample, &r);
        dense_swap(&u, &v);
        dense_swap(&v, &r);
    }
    dense_swap(g, v.length == 1 ? &v : &u);
    dense_clear(&sample->g, &u);
    dense_clear(&sample->g, &v);
    dense_clear(&sample->g, &r);
}

void dense_quotient(struct sample *sample, struct dense *q, const struct dense *a, const struct dense *g, int variable)
{
    struct dense r;
    dense_init(&r);
    dense_divide(&sample->g, q, &r, a, g);
    dense_reduce(sample, q, variable);
    dense_clear(&sample->g, &r);
}

/* From now on the root is known by another polynomial of which it is a simple root; takes d over. */
static void root_replace(struct sample *sample, struct root *root, struct dense *d)
{
    struct arena *arena = root->batch->arena;
    struct family *family = family_new(arena, sample->g.ctx, root->batch->variable);
    int sign = dense_sign_at(sample, d, &root->lo);
    if (sign == SIGN_UNDECIDED)
        return;
    dense_swap(&family->d, d);
    root->family = family;
    root->sign = sign;
}

/* g divides the root's polynomial at the sample, properly: is it zero at the root? The better of g and the cofactor
   becomes the root's polynomial. */
static int root_split(struct sample *sample, struct root *root, struct dense *g)
{
    int lo = dense_sign_at(sample, g, &root->lo), hi = dense_sign_at(sample, g, &root->hi);
    struct dense q;
    if (lo == SIGN_UNDECIDED || hi == SIGN_UNDECIDED)
        return SIGN_UNDECIDED;
    dense_init(&q);
    if (lo == hi)
        dense_quotient(sample, &q, family_dense(sample, root->family), g, root->batch->variable);
    else
        dense_swap(&q, g);
    if (!sample->g.budget->spent)
        root_replace(sample, root, &q);
    dense_clear(&sample->g, &q);
    return lo != hi;
}

int root_of(struct sample *sample, struct root *root, const struct dense *a)
{
    const struct dense *d = family_dense(sample, root->family);
    int answer = SIGN_UNDECIDED;
    struct dense b, g;
    dense_init(&b);
    dense_init(&g);
    dense_set(&sample->g, &b, a);
    dense_strip(sample, &b);
    if (!sample->g.budget->spent && b.length > 1) {
        dense_gcd(sample, &g, d, &b, root->batch->variable);
        if (!sample->g.budget->spent)
            answer = g.length == 1 ? 0 : g.length == d->length ? 1 : root_split(sample, root, &g);
    } else if (!sample->g.budget->spent) {
        answer = b.length == 0;
    }
    dense_clear(&sample->g, &b);
    dense_clear(&sample->g, &g);
    return answer;
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
    if (!g->budget->spent) {
        size_t i = sample->height;
        while (i > 0 && (!sample->at[i - 1].root || fmpz_mpoly_degree_si(r, sample->at[i - 1].variable, g->ctx) <= 0))
            i--;
        if (i == 0) {
            answer = fmpz_mpoly_is_zero(r, g->ctx);
        } else {
            dense_init(&a);
            dense_from(g, &a, r, sample->at[i - 1].variable);
            answer = root_of(sample, sample->at[i - 1].root, &a);
            dense_clear(g, &a);
        }
    }
    fmpz_mpoly_clear(r, g->ctx);
    return answer;
}
