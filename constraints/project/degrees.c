/* Degrees in one variable. If all exponents of x are multiples of g, x^g becomes a variable of its own: t = x^g, with t >= 0 if
   g is even. Then the sign of x is free, so that a conjunct x > 0 or x < 0 says t > 0; but only one conjunct may speak of it:
   where the sign of x stands in a disjunction or in a product, the two signs cannot be chosen apart, and nothing is done. */
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

static void degrees_of_factor(struct work *w, struct degrees *d, const struct polynomial *f, int x)
{
    unsigned degree = work_degree(w, f->p, x);
    ulong exponents[RING_CAPACITY];
    d->highest = degree > d->highest ? degree : d->highest;
    for (slong i = 0; degree && !is_variable(f, x) && i < f->p->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, f->p, i, w->ctx);
        d->common = gcd(d->common, (unsigned)exponents[x]);
    }
}

/* `inner`: below a disjunction. */
static void degrees_collect(struct work *w, struct degrees *d, const struct node *node, int x, bool inner)
{
    if (!(node->uses >> x & 1))
        return;
    if (node->kind != NODE_ATOM) {
        for (size_t i = 0; i < node->count; i++)
            degrees_collect(w, d, node->at[i], x, inner || node->kind == NODE_OR);
        return;
    }
    bool sided = node->signs != SIGN_ZERO && node->signs != (SIGN_NEGATIVE | SIGN_POSITIVE);
    d->atoms++;
    for (size_t i = 0; i < node->count; i++) {
        degrees_of_factor(w, d, node->factors[i], x);
        d->entangled |= is_variable(node->factors[i], x) && sided && (inner || node->count > 1);
    }
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

static void factor_lower(const struct lowering *l, struct product *product, const struct polynomial *f)
{
    struct work *w = l->w;
    ulong exponents[RING_CAPACITY];
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, w->ctx);
    for (slong k = 0; k < f->p->length; k++) {
        fmpz_mpoly_get_term_exp_ui(exponents, f->p, k, w->ctx);
        if (!is_variable(f, l->x))
            exponents[l->x] /= l->divisor;
        fmpz_mpoly_push_term_fmpz_ui(p, f->p->coeffs + k, exponents, w->ctx);
    }
    fmpz_mpoly_sort_terms(p, w->ctx);
    product_multiply(w, product, p);
    fmpz_mpoly_clear(p, w->ctx);
}

static const struct node *atom_lower(void *state, const struct node *atom)
{
    const struct lowering *l = state;
    struct product product = product_one();
    if (!(atom->uses >> l->x & 1))
        return atom;
    for (size_t i = 0; i < atom->count; i++)
        factor_lower(l, &product, atom->factors[i]);
    bool below = atom->signs & SIGN_NEGATIVE && !(atom->signs & SIGN_POSITIVE);
    bool mirrored = !(l->divisor & 1) && atom->count == 1 && is_variable(atom->factors[0], l->x) && below;
    return node_product(l->w, &product, mirrored ? signs_mirror(atom->signs) : atom->signs);
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
