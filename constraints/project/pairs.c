/* Elimination by pairs of bounds (Fourier, Motzkin). In: a conjunction in which x occurs only
   linearly, in atoms of one factor, with coefficients of known sign; out: the conjunction of "every
   lower bound is below every upper one", which stays a conjunction where test points would give a
   disjunction. Bounds on one side only need no pairs; then x != value is no obstacle either, for an
   unbounded interval has room beside finitely many points. */
#include "constraints/project/work.h"

enum { PAIR_LIMIT = 400 };

/* p >= 0 or p > 0, p = slope * x + rest. */
struct bound {
    const fmpz_mpoly_struct *p, *slope;   /* slope made positive */
    bool strict;
};

struct bounds {
    struct work *w;
    int x;
    const struct theory *theory;
    VEC(struct bound) lower, upper;
    VEC(const struct node *) others;      /* conjuncts without x */
    bool hole;
};

static bool bound_add(struct bounds *b, const struct node *atom)
{
    struct work *w = b->w;
    const struct polynomial *f = atom->factors[0];
    if (atom->kind != NODE_ATOM || atom->count > 1 || work_degree(w, f->p, b->x) != 1 ||
        atom->signs == SIGN_ZERO)
        return false;
    fmpz_mpoly_struct *slope = work_mpoly(w), *p = work_mpoly(w);
    work_coefficient(w, slope, f->p, b->x, 1);
    struct product product = product_one();
    product_multiply(w, &product, slope);
    unsigned signs = theory_product_signs(w, b->theory, &product);
    if (signs != SIGN_POSITIVE && signs != SIGN_NEGATIVE)
        return false;
    if (!(atom->signs & SIGN_ZERO) && (atom->signs & SIGN_NEGATIVE) &&
        (atom->signs & SIGN_POSITIVE))
        return b->hole = true;
    bool positive = (atom->signs & SIGN_POSITIVE) != 0;
    fmpz_mpoly_set(p, f->p, w->ctx);
    if (!positive)
        fmpz_mpoly_neg(p, p, w->ctx);
    if (signs == SIGN_NEGATIVE)
        fmpz_mpoly_neg(slope, slope, w->ctx);
    struct bound bound = {p, slope, !(atom->signs & SIGN_ZERO)};
    if (positive == (signs == SIGN_POSITIVE))
        vec_push(w->arena, &b->lower, bound);
    else
        vec_push(w->arena, &b->upper, bound);
    return true;
}

/* Both sides times the other's slope, added: x is gone. */
static const struct node *pair_join(struct bounds *b, const struct bound *lower,
                                    const struct bound *upper)
{
    struct work *w = b->w;
    fmpz_mpoly_t sum, product;
    fmpz_mpoly_init(sum, w->ctx);
    fmpz_mpoly_init(product, w->ctx);
    work_mul(w, sum, lower->p, upper->slope);
    work_mul(w, product, upper->p, lower->slope);
    fmpz_mpoly_add(sum, sum, product, w->ctx);
    bool strict = lower->strict || upper->strict;
    const struct node *atom = node_sign(w, sum, SIGN_POSITIVE | (strict ? 0u : SIGN_ZERO));
    fmpz_mpoly_clear(sum, w->ctx);
    fmpz_mpoly_clear(product, w->ctx);
    return atom;
}

static bool bounds_collect(struct bounds *b, const struct node *node)
{
    const struct node *const *at;
    size_t count = node_conjuncts(&node, &at);
    for (size_t i = 0; i < count; i++) {
        if (!(at[i]->uses >> b->x & 1))
            vec_push(b->w->arena, &b->others, at[i]);
        else if (at[i]->kind != NODE_ATOM || !bound_add(b, at[i]))
            return false;
    }
    return b->lower.count * b->upper.count <= PAIR_LIMIT &&
           !(b->hole && b->lower.count && b->upper.count);
}

bool pairs_applicable(struct work *w, const struct node *node, int x, const struct theory *theory,
                      size_t *pairs)
{
    struct bounds b = {.w = w, .x = x, .theory = theory};
    if (!bounds_collect(&b, node))
        return false;
    *pairs = b.lower.count * b.upper.count;
    return true;
}

const struct node *pairs_eliminate(struct work *w, const struct node *node, int x,
                                   const struct theory *theory)
{
    struct bounds b = {.w = w, .x = x, .theory = theory};
    bounds_collect(&b, node);
    for (size_t i = 0; i < b.lower.count; i++)
        for (size_t j = 0; j < b.upper.count; j++)
            vec_push(w->arena, &b.others, pair_join(&b, b.lower.at + i, b.upper.at + j));
    return node_and(w, b.others.at, b.others.count);
}
