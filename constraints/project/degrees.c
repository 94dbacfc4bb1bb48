/* Degrees in one variable. If all exponents of x are multiples of g, x^g becomes a variable of its
   own: t = x^g, with t >= 0 if g is even. Then the sign of x is free, so that a conjunct x > 0 or x
   < 0 says t > 0; but only one conjunct may speak of it: where the sign of x stands in a
   disjunction or in a product, the two signs cannot be chosen apart, and nothing is done. */
#include "constraints/project/plan.h"

static bool is_variable(const struct polynomial *f, int x)
{
    return f->variable == x && f->shape == f;
}

static unsigned gcd(unsigned a, unsigned b)
{
    while (b) {
        unsigned r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* x^common is what the product of the atom's factors with x is made of. */
static void exponents_collect(struct work *w, struct degrees *d, const fmpz_mpoly_t p, int x)
{
    ulong exponents[RING_CAPACITY];
    for (slong i = 0; i < p->length; i++) {
        mpoly_exponents(exponents, p, i, w->ctx);
        d->common = gcd(d->common, (unsigned)exponents[x]);
    }
}

/* The product of the factors with x. */
static void factors_multiply(struct work *w, fmpz_mpoly_t p, const struct node *atom, int x)
{
    fmpz_mpoly_one(p, w->ctx);
    for (size_t i = 0; i < atom->count; i++)
        if (atom->factors[i]->uses >> x & 1)
            work_mul(w, p, p, atom->factors[i]->p);
}

static bool is_one_sided(const struct node *atom)
{
    return atom->signs != SIGN_ZERO && atom->signs != (SIGN_NEGATIVE | SIGN_POSITIVE);
}

/* `inner`: below a disjunction. */
static void degrees_collect(struct work *w, struct degrees *d, const struct node *node, int x,
                            bool inner)
{
    if (!(node->uses >> x & 1))
        return;
    if (node->kind != NODE_ATOM) {
        for (size_t i = 0; i < node->count; i++)
            degrees_collect(w, d, node->at[i], x, inner || node->kind == NODE_OR);
        return;
    }
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, w->ctx);
    factors_multiply(w, p, node, x);
    d->atoms++;
    d->burden += work_degree(w, p, x);
    for (size_t i = 0; i < node->count; i++) {
        unsigned degree = work_degree(w, node->factors[i]->p, x);
        d->highest = degree > d->highest ? degree : d->highest;
    }
    if (node->count > 1 || !is_variable(node->factors[0], x))
        exponents_collect(w, d, p, x);
    else
        d->entangled |= inner && is_one_sided(node);
    fmpz_mpoly_clear(p, w->ctx);
}

struct degrees degrees_of(struct work *w, const struct node *node, int x)
{
    struct degrees d = {0};
    degrees_collect(w, &d, node, x, false);
    if (d.common & 1)
        d.entangled = false;
    return d;
}

struct lowering {
    struct work *w;
    int x;
    unsigned divisor;
};

/* p with x^divisor replaced by x. */
static void exponents_divide(const struct lowering *l, fmpz_mpoly_t lowered, const fmpz_mpoly_t p)
{
    struct work *w = l->w;
    ulong exponents[RING_CAPACITY];
    fmpz_mpoly_zero(lowered, w->ctx);
    for (slong k = 0; k < p->length; k++) {
        mpoly_exponents(exponents, p, k, w->ctx);
        exponents[l->x] /= l->divisor;
        mpoly_push(lowered, p->coeffs + k, exponents, w->ctx);
    }
    fmpz_mpoly_sort_terms(lowered, w->ctx);
}

static const struct node *atom_lower(void *state, const struct node *atom)
{
    const struct lowering *l = state;
    struct work *w = l->w;
    if (!(atom->uses >> l->x & 1))
        return atom;
    if (atom->count == 1 && is_variable(atom->factors[0], l->x)) {
        bool below = atom->signs & SIGN_NEGATIVE && !(atom->signs & SIGN_POSITIVE);
        return node_factor(w, atom->factors[0],
                           !(l->divisor & 1) && below ? signs_mirror(atom->signs) : atom->signs);
    }
    struct product product = product_one();
    fmpz_mpoly_t p, lowered;
    fmpz_mpoly_init(p, w->ctx);
    fmpz_mpoly_init(lowered, w->ctx);
    factors_multiply(w, p, atom, l->x);
    exponents_divide(l, lowered, p);
    product_multiply(w, &product, lowered);
    for (size_t i = 0; i < atom->count; i++)
        if (!(atom->factors[i]->uses >> l->x & 1))
            product_multiply_factor(w, &product, atom->factors[i]);
    fmpz_mpoly_clear(p, w->ctx);
    fmpz_mpoly_clear(lowered, w->ctx);
    return node_product(w, &product, atom->signs);
}

const struct node *degrees_lower(struct work *w, const struct node *node, int x, unsigned common)
{
    struct lowering lowering = {w, x, common};
    const struct node *lowered = node_map(w, node, atom_lower, &lowering);
    if (common & 1)
        return lowered;
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, w->ctx);
    fmpz_mpoly_gen(t, x, w->ctx);
    lowered = node_and2(w, node_sign(w, t, SIGN_ZERO | SIGN_POSITIVE), lowered);
    fmpz_mpoly_clear(t, w->ctx);
    return lowered;
}
