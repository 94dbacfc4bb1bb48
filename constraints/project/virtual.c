/* Virtual substitution. In: a formula and a test point for x; out: a formula without x that says
   whether it holds there. At a zero (a + b sqrt(c)) / d a polynomial's sign is that of p + q
   sqrt(c), which is a condition on the signs of p, q and p^2 - q^2 c. Beside a zero (epsilon) it is
   the sign of the first derivative that is not zero there, at an end of the line that of the first
   coefficient that is not zero. Source: Weispfenning, Quantifier elimination for real algebra: the
   quadratic case and beyond, 1997. */
#include "constraints/project/work.h"

enum { SIGN_NONZERO = SIGN_NEGATIVE | SIGN_POSITIVE };

struct substitution {
    struct work *w;
    int x;
    const struct point *point;
};

/* p + q sqrt(c), over d^degree. */
struct surd {
    fmpz_mpoly_t p, q;
};

/* v at the root, by Horner's scheme; surd->q is zero for a rational point. Returns the degree of
   v. */
static unsigned root_value(const struct substitution *s, struct surd *value, const fmpz_mpoly_t v)
{
    struct work *w = s->w;
    const struct point *at = s->point;
    unsigned degree = work_degree(w, v, s->x);
    fmpz_mpoly_t t, u, power;
    fmpz_mpoly_init(t, w->ctx);
    fmpz_mpoly_init(u, w->ctx);
    fmpz_mpoly_init(power, w->ctx);
    fmpz_mpoly_one(power, w->ctx);
    work_coefficient(w, value->p, v, s->x, degree);
    for (unsigned k = degree; k-- > 0;) {
        if (at->c) {
            work_mul(w, t, value->q, at->c);
            work_mul(w, t, t, at->b);
            work_mul(w, u, value->p, at->b);
            work_mul(w, value->q, value->q, at->a);
            fmpz_mpoly_add(value->q, value->q, u, w->ctx);
        }
        work_mul(w, value->p, value->p, at->a);
        fmpz_mpoly_add(value->p, value->p, t, w->ctx);
        work_mul(w, power, power, at->d);
        work_coefficient(w, u, v, s->x, k);
        work_mul(w, u, u, power);
        fmpz_mpoly_add(value->p, value->p, u, w->ctx);
    }
    fmpz_mpoly_clear(t, w->ctx);
    fmpz_mpoly_clear(u, w->ctx);
    fmpz_mpoly_clear(power, w->ctx);
    return degree;
}

/* The sign of e * p, e a product. */
static const struct node *times_sign(struct work *w, const struct product *e, const fmpz_mpoly_t p,
                                     unsigned signs)
{
    struct product product = product_copy(w, e);
    product_multiply(w, &product, p);
    return node_product(w, &product, signs);
}

/* e (p + q sqrt(c)) is negative, or not positive; r = p^2 - q^2 c. Where e p and e q have different
   signs, r decides which of them is larger. */
static const struct node *surd_negative(struct work *w, const struct product *e,
                                        const struct surd *v, const fmpz_mpoly_t r, bool strict)
{
    unsigned zero = strict ? 0 : SIGN_ZERO;
    const struct node *p = times_sign(w, e, v->p, SIGN_NEGATIVE | zero);
    const struct node *large = node_and2(w, p, node_sign(w, r, SIGN_POSITIVE | zero));
    const struct node *small = node_and2(w, times_sign(w, e, v->q, SIGN_NEGATIVE | zero),
                                         node_sign(w, r, SIGN_NEGATIVE | zero));
    if (!strict)
        return node_or2(w, node_product(w, e, SIGN_ZERO), node_or2(w, large, small));
    const struct node *agree = node_and2(w, p, times_sign(w, e, v->q, SIGN_NEGATIVE | SIGN_ZERO));
    return node_or2(w, large, node_or2(w, agree, small));
}

static const struct node *surd_zero(struct work *w, const struct product *e, const struct surd *v,
                                    const fmpz_mpoly_t r)
{
    struct product one = product_one();
    product_multiply(w, &one, v->p);
    const struct node *opposite = times_sign(w, &one, v->q, SIGN_NEGATIVE | SIGN_ZERO);
    return node_or2(w, node_product(w, e, SIGN_ZERO),
                    node_and2(w, opposite, node_sign(w, r, SIGN_ZERO)));
}

static const struct node *surd_sign(struct work *w, struct product *e, const struct surd *v,
                                    const fmpz_mpoly_t r, unsigned signs)
{
    if (signs == SIGN_ZERO)
        return surd_zero(w, e, v, r);
    if (signs == SIGN_NONZERO)
        return node_not(w, surd_zero(w, e, v, r));
    if (signs & SIGN_POSITIVE)
        e->sign = -e->sign;
    return surd_negative(w, e, v, r, !(signs & SIGN_ZERO));
}

/* The sign of outer * v at the root. */
static const struct node *root_sign(const struct substitution *s, const struct product *outer,
                                    const fmpz_mpoly_t v, unsigned signs)
{
    struct work *w = s->w;
    if (!signs || signs == SIGN_ANY)
        return signs ? w->truth : w->falsity;
    struct product e = product_copy(w, outer);
    struct surd value;
    fmpz_mpoly_init(value.p, w->ctx);
    fmpz_mpoly_init(value.q, w->ctx);
    const struct node *result;
    if (root_value(s, &value, v) & 1)
        product_multiply(w, &e, s->point->d);
    if (fmpz_mpoly_is_zero(value.q, w->ctx)) {
        product_multiply(w, &e, value.p);
        result = node_product(w, &e, signs);
    } else {
        fmpz_mpoly_t r, t;
        fmpz_mpoly_init(r, w->ctx);
        fmpz_mpoly_init(t, w->ctx);
        work_mul(w, t, value.q, value.q);
        work_mul(w, t, t, s->point->c);
        work_mul(w, r, value.p, value.p);
        fmpz_mpoly_sub(r, r, t, w->ctx);
        result = surd_sign(w, &e, &value, r, signs);
        fmpz_mpoly_clear(r, w->ctx);
        fmpz_mpoly_clear(t, w->ctx);
    }
    fmpz_mpoly_clear(value.p, w->ctx);
    fmpz_mpoly_clear(value.q, w->ctx);
    return result;
}

/* --- atoms at a point ------------------------------------------------------------------------ */

/* The sign of outer * value number i of the sequence whose first value that is not zero decides:
   derivatives at the root with the sign of epsilon, or coefficients from the highest. */
static const struct node *value_sign(const struct substitution *s, const struct product *outer,
                                     const fmpz_mpoly_t v, bool turned, unsigned signs)
{
    if (turned)
        signs = signs_mirror(signs);
    return s->point->kind == POINT_ROOT ? root_sign(s, outer, v, signs)
                                        : times_sign(s->w, outer, v, signs);
}

struct sequence {
    fmpz_mpoly_struct **at;
    bool *turned;
    size_t count;
};

static struct sequence sequence_of(const struct substitution *s, const fmpz_mpoly_struct *v)
{
    struct work *w = s->w;
    unsigned degree = work_degree(w, v, s->x);
    struct sequence sequence = {ARENA_ARRAY(w->arena, fmpz_mpoly_struct *, degree + 1),
                                ARENA_ARRAY(w->arena, bool, degree + 1), degree + 1};
    for (unsigned i = 0; i <= degree; i++) {
        sequence.at[i] = work_mpoly(w);
        bool root = s->point->kind == POINT_ROOT;
        if (!root)
            work_coefficient(w, sequence.at[i], v, s->x, degree - i);
        else if (i == 0)
            fmpz_mpoly_set(sequence.at[i], v, w->ctx);
        else
            fmpz_mpoly_derivative(sequence.at[i], sequence.at[i - 1], s->x, w->ctx);
        sequence.turned[i] = root ? s->point->epsilon < 0 && i & 1
                                  : s->point->kind == POINT_BELOW && (degree - i) & 1;
    }
    return sequence;
}

/* From the last value to the first. */
static const struct node *sequence_sign(const struct substitution *s, const struct product *outer,
                                        const struct sequence *v, unsigned signs)
{
    struct work *w = s->w;
    struct product one = product_one();
    size_t i = v->count - 1;
    const struct node *node = value_sign(s, outer, v->at[i], v->turned[i], signs);
    while (i-- > 0 && !w->broken) {
        const struct node *zero = value_sign(s, &one, v->at[i], false, SIGN_ZERO);
        const struct node *decided =
            value_sign(s, outer, v->at[i], v->turned[i], signs & ~(unsigned)SIGN_ZERO);
        node = node_or2(w, decided, node_and2(w, zero, node));
    }
    return signs & SIGN_ZERO ? node_or2(w, node_product(w, outer, SIGN_ZERO), node) : node;
}

static const struct node *atom_substitute(void *state, const struct node *atom)
{
    const struct substitution *s = state;
    struct work *w = s->w;
    if (!(atom->uses >> s->x & 1))
        return atom;
    struct product outer = product_one();
    fmpz_mpoly_t v;
    fmpz_mpoly_init(v, w->ctx);
    fmpz_mpoly_one(v, w->ctx);
    for (size_t i = 0; i < atom->count; i++) {
        if (atom->factors[i]->uses >> s->x & 1)
            work_mul(w, v, v, atom->factors[i]->p);
        else
            product_multiply_factor(w, &outer, atom->factors[i]);
    }
    const struct node *result;
    if (s->point->kind == POINT_ROOT && s->point->epsilon == 0) {
        result = root_sign(s, &outer, v, atom->signs);
    } else {
        struct sequence sequence = sequence_of(s, v);
        result = sequence_sign(s, &outer, &sequence, atom->signs);
    }
    fmpz_mpoly_clear(v, w->ctx);
    return result;
}

const struct node *point_substitute(struct work *w, const struct node *node, int x,
                                    const struct point *point)
{
    struct substitution s = {w, x, point};
    return node_map(w, node, atom_substitute, &s);
}
