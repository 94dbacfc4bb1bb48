/* Algebra over the point. The irrational coordinates form a tower: each is a simple root of its family's polynomial d. In:
   polynomials in a coordinate's variable, or a free one, over the coordinates before it; out: remainders, quotients,
   greatest common divisors, up to factors that do not vanish at the sample. Numbers stay short by three means:
   everything is reduced modulo the polynomials of the tower, integer contents are divided out, and leading coefficients
   are made integers by multiplication with inverses, so that what remains is determined by the point and not by the way
   to it. Leading coefficients that vanish at the point, a question about fewer coordinates, are dropped. Where an inverse
   meets a common divisor with a coordinate's polynomial, that polynomial is split (Della Dora, Dicrescenzo, Duval, "About
   a new method for computing in algebraic number fields", EUROCAL 1985). */
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

/* Has a coefficient a degree that calls for reduction? */
static bool reducible(struct sample *sample, const struct dense *a)
{
    for (slong i = 0; i < a->length; i++) {
        sample_look(sample, &a->at[i]);
        for (size_t j = 0; j < sample->used; j++) {
            const struct coordinate *c = sample->use[j];
            if (c->root && sample->degrees[c->variable] >= family_degree(c->root->family))
                return true;
        }
    }
    return false;
}

/* Reduces the coefficients, all by the same factors. */
static void dense_reduce(struct sample *sample, struct dense *a, int variable)
{
    if (reducible(sample, a)) {
        fmpz_mpoly_t p;
        fmpz_mpoly_init(p, sample->g.ctx);
        dense_to(&sample->g, p, a, variable);
        for (size_t i = sample->height; i-- > 0 && !sample->g.budget->spent;)
            if (sample->at[i].root && sample->at[i].variable != variable)
                sample_reduce_by(sample, p, &sample->at[i]);
        dense_from(&sample->g, a, p, variable);
        fmpz_mpoly_clear(p, sample->g.ctx);
    }
    dense_primitive(&sample->g, a);
}

/* The same for a vector whose last places may be zero; its length stays. */
static void reduce_padded(struct sample *sample, struct dense *a, int variable)
{
    slong length = a->length;
    dense_normalise(&sample->g, a);
    dense_reduce(sample, a, variable);
    dense_fit(&sample->g, a, length);
    a->length = length;
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

static void dense_scale(const struct algebra *g, struct dense *a, const fmpz_mpoly_struct *factor)
{
    for (slong i = 0; i < a->length; i++)
        algebra_mul(g, &a->at[i], &a->at[i], factor);
}

/* An extended remainder: r in the first `split` places, s behind them; s * u = r modulo the polynomial divided. */
struct pair {
    struct dense all;
    slong split;
};

static slong pair_degree(const struct pair *p)
{
    slong i = p->split - 1;
    while (i >= 0 && p->all.at[i].length == 0)
        i--;
    return i;
}

static void pair_init(const struct algebra *g, struct pair *p, slong split)
{
    dense_init(&p->all);
    dense_fit(g, &p->all, 2 * split);
    p->split = split;
    p->all.length = 2 * split;
}

/* Drops leading coefficients of r that vanish at the sample; its degree, -1 for zero. */
static slong pair_strip(struct sample *sample, struct pair *p)
{
    slong degree = pair_degree(p);
    while (degree >= 0 && !sample->g.budget->spent && sample_sign(sample, &p->all.at[degree]) == 0) {
        fmpz_mpoly_zero(&p->all.at[degree], sample->g.ctx);
        degree = pair_degree(p);
    }
    return degree;
}


/* a := lc(b) * a - lc(a) * variable^shift * b, for the remainders and their factors at once. */
static void pair_step(struct sample *sample, struct pair *a, const struct pair *b, slong from, slong to)
{
    const struct algebra *g = &sample->g;
    fmpz_mpoly_t lead, t;
    fmpz_mpoly_init(lead, g->ctx);
    fmpz_mpoly_init(t, g->ctx);
    fmpz_mpoly_swap(lead, &a->all.at[from], g->ctx);
    dense_scale(g, &a->all, &b->all.at[to]);
    for (slong half = 0; half <= a->split; half += a->split)
        for (slong i = 0; i + from - to < a->split; i++) {
            if ((half == 0 && i >= to) || fmpz_mpoly_is_zero(&b->all.at[half + i], g->ctx))
                continue;
            fmpz_mpoly_struct *place = &a->all.at[half + i + from - to];
            algebra_mul(g, t, lead, &b->all.at[half + i]);
            fmpz_mpoly_sub(place, place, t, g->ctx);
        }
    fmpz_mpoly_clear(lead, g->ctx);
    fmpz_mpoly_clear(t, g->ctx);
}

/* Multiplies all entries so that entry `place`, which does not vanish at the sample, becomes an integer. As the leading
   coefficients of the tower are integers, remainders are unique: a product with an inverse loses its last coordinate. */
static void make_integer(struct sample *sample, struct dense *all, slong place, int variable);

/* One round of Euclid's algorithm: a := a modulo b. */
static void pair_remainder(struct sample *sample, struct pair *a, const struct pair *b, slong degree, int variable)
{
    for (slong from = pair_degree(a); from >= degree && !sample->g.budget->spent; from = pair_degree(a)) {
        pair_step(sample, a, b, from, degree);
        reduce_padded(sample, &a->all, variable);
    }
}

/* v with v * u = an integer or a polynomial in earlier coordinates, not zero at the sample; u, not zero there either, has
   c as its last coordinate. Over Q. */
static void inverse_univariate(struct sample *sample, fmpz_mpoly_t v, const fmpz_mpoly_t u, struct coordinate *c)
{
    fmpz_poly_t f;
    fmpq_poly_t a, d, g, s, t;
    fmpz_poly_init(f);
    fmpq_poly_init(a);
    fmpq_poly_init(d);
    fmpq_poly_init(g);
    fmpq_poly_init(s);
    fmpq_poly_init(t);
    fmpz_mpoly_get_fmpz_poly(f, u, c->variable, sample->g.ctx);
    fmpq_poly_set_fmpz_poly(a, f);
    fmpq_poly_set_fmpz_poly(d, c->root->family->f);
    uint64_t size = (uint64_t)(f->length * c->root->family->f->length);
    if (budget_take(sample->g.budget, size * (1 + (uint64_t)FLINT_ABS(fmpz_poly_max_bits(f)) / 64)))
        fmpq_poly_xgcd(g, s, t, a, d);
    fmpq_poly_get_numerator(f, s);
    fmpz_mpoly_set_fmpz_poly(v, f, c->variable, sample->g.ctx);
    algebra_primitive(&sample->g, v);
    fmpz_poly_clear(f);
    fmpq_poly_clear(a);
    fmpq_poly_clear(d);
    fmpq_poly_clear(g);
    fmpq_poly_clear(s);
    fmpq_poly_clear(t);
}

/* The same by Euclid's algorithm over the coordinates before c. False if the polynomial of c was split: try again. */
static bool inverse_euclid(struct sample *sample, fmpz_mpoly_t v, const fmpz_mpoly_t u, struct coordinate *c)
{
    const struct algebra *g = &sample->g;
    const struct dense *d = family_dense(sample, c->root->family);
    struct pair a, b;
    struct dense start;
    bool good = true;
    dense_init(&start);
    dense_from(g, &start, u, c->variable);
    pair_init(g, &a, d->length);
    pair_init(g, &b, d->length);
    for (slong i = 0; i < d->length; i++) {
        fmpz_mpoly_set(&a.all.at[i], &d->at[i], g->ctx);
        if (i < start.length)
            fmpz_mpoly_swap(&b.all.at[i], &start.at[i], g->ctx);
    }
    fmpz_mpoly_one(&b.all.at[d->length], g->ctx);
    slong degree = pair_strip(sample, &b);
    while (degree > 0 && !g->budget->spent) {
        make_integer(sample, &b.all, degree, c->variable);
        pair_remainder(sample, &a, &b, degree, c->variable);
        struct pair t = a;
        a = b;
        b = t;
        degree = pair_strip(sample, &b);
    }
    if (degree < 0 && !g->budget->spent) {
        dense_zero(g, &start);
        dense_fit(g, &start, d->length);
        for (slong i = 0; i < d->length; i++)
            fmpz_mpoly_swap(&start.at[i], &a.all.at[i], g->ctx);
        start.length = d->length;
        dense_normalise(g, &start);
        root_of(sample, c->root, &start);
        good = false;
    } else {
        b.all.length = 2 * b.split;
        for (slong i = 0; i < b.split; i++)
            fmpz_mpoly_swap(&b.all.at[i], &b.all.at[i + b.split], g->ctx);
        b.all.length = b.split;
        dense_normalise(g, &b.all);
        dense_to(g, v, &b.all, c->variable);
    }
    dense_clear(g, &start);
    dense_clear(g, &a.all);
    dense_clear(g, &b.all);
    return good;
}

/* The last irrational coordinate that occurs in p, NULL if there is none. */
struct coordinate *sample_last(struct sample *sample, const fmpz_mpoly_struct *p)
{
    sample_look(sample, p);
    for (size_t i = sample->used; i-- > 0;)
        if (sample->use[i]->root)
            return sample->use[i];
    return NULL;
}

static bool only_variable(struct sample *sample, const fmpz_mpoly_struct *p, int variable)
{
    sample_look(sample, p);
    for (int v = 0; v < sample->variables; v++)
        if (v != variable && sample->degrees[v] > 0)
            return false;
    return true;
}

static void make_integer(struct sample *sample, struct dense *all, slong place, int variable)
{
    struct coordinate *c;
    fmpz_mpoly_t v;
    fmpz_mpoly_init(v, sample->g.ctx);
    while (budget_take(sample->g.budget, 1) && (c = sample_last(sample, &all->at[place]))) {
        if (fmpz_mpoly_degree_si(&all->at[place], c->variable, sample->g.ctx) < family_degree(c->root->family)) {
            if (c->root->family->irreducible && only_variable(sample, &all->at[place], c->variable))
                inverse_univariate(sample, v, &all->at[place], c);
            else if (!inverse_euclid(sample, v, &all->at[place], c))
                continue;
            dense_scale(&sample->g, all, v);
        }
        reduce_padded(sample, all, variable);
    }
    fmpz_mpoly_clear(v, sample->g.ctx);
}

void dense_monic(struct sample *sample, struct dense *a, int variable)
{
    if (a->length > 0)
        make_integer(sample, a, a->length - 1, variable);
}

/* r := r modulo b, whose leading coefficient is an integer, reduced after every step. If there is a quotient it stands
   behind r in `all`, from place `split` on, and takes part in every multiplication. */
static void divide(struct sample *sample, struct dense *all, slong split, const struct dense *b, int variable)
{
    const struct algebra *g = &sample->g;
    const fmpz_mpoly_struct *one = &b->at[b->length - 1];
    slong length = all->length;
    fmpz_mpoly_t lead, t;
    fmpz_mpoly_init(lead, g->ctx);
    fmpz_mpoly_init(t, g->ctx);
    for (slong top = split - 1; top >= b->length - 1 && !g->budget->spent; top--) {
        slong shift = top + 1 - b->length;
        if (fmpz_mpoly_is_zero(&all->at[top], g->ctx))
            continue;
        fmpz_mpoly_swap(lead, &all->at[top], g->ctx);
        fmpz_mpoly_zero(&all->at[top], g->ctx);
        dense_scale(g, all, one);
        for (slong i = 0; i < b->length - 1; i++) {
            algebra_mul(g, t, lead, &b->at[i]);
            fmpz_mpoly_sub(&all->at[i + shift], &all->at[i + shift], t, g->ctx);
        }
        if (length > split)
            fmpz_mpoly_swap(&all->at[split + shift], lead, g->ctx);
        reduce_padded(sample, all, variable);
    }
    fmpz_mpoly_clear(lead, g->ctx);
    fmpz_mpoly_clear(t, g->ctx);
}

void dense_gcd(struct sample *sample, struct dense *g, const struct dense *a, const struct dense *b, int variable)
{
    struct dense u, v;
    dense_init(&u);
    dense_init(&v);
    dense_set(&sample->g, &u, a->length >= b->length ? a : b);
    dense_set(&sample->g, &v, a->length >= b->length ? b : a);
    while (v.length > 1 && !sample->g.budget->spent) {
        dense_monic(sample, &v, variable);
        divide(sample, &u, u.length, &v, variable);
        dense_normalise(&sample->g, &u);
        dense_strip(sample, &u);
        dense_swap(&u, &v);
    }
    dense_swap(g, v.length == 1 ? &v : &u);
    dense_clear(&sample->g, &u);
    dense_clear(&sample->g, &v);
}

bool dense_common(struct sample *sample, struct dense *g, struct dense *rest, const struct dense *a,
                  const struct dense *b, int variable)
{
    const fmpz_mpoly_ctx_struct *ctx = sample->g.ctx;
    fmpz_mpoly_t p, q, common;
    bool found = false;
    fmpz_mpoly_init(p, ctx);
    fmpz_mpoly_init(q, ctx);
    fmpz_mpoly_init(common, ctx);
    dense_to(&sample->g, p, a, variable);
    dense_to(&sample->g, q, b, variable);
    if (budget_take(sample->g.budget, (uint64_t)p->length * (uint64_t)q->length))
        found = fmpz_mpoly_gcd_cofactors(common, p, q, p, q, ctx) && fmpz_mpoly_degree_si(common, variable, ctx) > 0;
    if (found) {
        dense_from(&sample->g, g, common, variable);
        dense_from(&sample->g, rest, p, variable);
    }
    fmpz_mpoly_clear(p, ctx);
    fmpz_mpoly_clear(q, ctx);
    fmpz_mpoly_clear(common, ctx);
    return found && !sample->g.budget->spent;
}

void dense_quotient(struct sample *sample, struct dense *q, const struct dense *a, const struct dense *g, int variable)
{
    struct dense all, monic;
    slong length = a->length - g->length + 1;
    dense_init(&all);
    dense_init(&monic);
    dense_set(&sample->g, &monic, g);
    dense_monic(sample, &monic, variable);
    dense_set(&sample->g, &all, a);
    dense_fit(&sample->g, &all, a->length + length);
    all.length = a->length + length;
    divide(sample, &all, a->length, &monic, variable);
    dense_zero(&sample->g, q);
    dense_fit(&sample->g, q, length);
    for (slong i = 0; i < length; i++)
        fmpz_mpoly_swap(&q->at[i], &all.at[a->length + i], sample->g.ctx);
    q->length = length;
    dense_normalise(&sample->g, q);
    dense_reduce(sample, q, variable);
    dense_clear(&sample->g, &all);
    dense_clear(&sample->g, &monic);
}
