/* Test points. In: a formula whose polynomials have degree one or two in x; out: finitely many
   points such that it holds somewhere on the line iff it holds at one of them, each with the
   condition under which it exists. The set of x where the formula holds is a union of intervals.
   One that is not unbounded below has a left end, where some atom becomes true: at a zero of a weak
   atom (=, <=, >=), or just right of a zero of a strict one (<, >, !=). Hence minus infinity,
   zeros, and zeros plus epsilon suffice; or, mirrored, plus infinity, zeros, zeros minus epsilon,
   whichever is less. An atom with a known direction needs those zeros only where it can become
   true: a x + b >= 0 begins to hold where a > 0, a x^2 + b x + c >= 0 at (-b + sqrt(disc)) / (2 a)
   whatever the sign of a. Source: Loos and Weispfenning, Applying linear quantifier elimination,
   1993; Weispfenning, Quantifier elimination for real algebra: the quadratic case and beyond, 1997.
 */
#include "constraints/project/work.h"

typedef VEC(const struct node *) node_list;

/* --- test points ----------------------------------------------------------------------------- */

struct search {
    struct work *w;
    int x, direction;               /* direction: 1 = left ends, -1 = right ends */
    const struct theory *theory;
    point_list points;
    node_list atoms;                /* with x, each once */
};

static void atoms_collect(struct search *s, const struct node *node)
{
    if (!(node->uses >> s->x & 1))
        return;
    if (node->kind != NODE_ATOM) {
        for (size_t i = 0; i < node->count; i++)
            atoms_collect(s, node->at[i]);
        return;
    }
    for (size_t i = 0; i < s->atoms.count; i++)
        if (s->atoms.at[i] == node)
            return;
    vec_push(s->w->arena, &s->atoms, node);
}

static bool point_same(const struct work *w, const struct point *p, const struct point *q)
{
    if (p->kind != q->kind || p->epsilon != q->epsilon || !p->c != !q->c ||
        !fmpz_mpoly_equal(p->a, q->a, w->ctx) || !fmpz_mpoly_equal(p->d, q->d, w->ctx))
        return false;
    return !p->c || (fmpz_mpoly_equal(p->b, q->b, w->ctx) && fmpz_mpoly_equal(p->c, q->c, w->ctx));
}

/* Joins equal points' guards. */
static void point_add(struct work *w, point_list *points, struct point point)
{
    if (point.guard == w->falsity)
        return;
    for (size_t i = 0; i < points->count; i++) {
        if (!point_same(w, points->at + i, &point))
            continue;
        points->at[i].guard = node_or2(w, points->at[i].guard, point.guard);
        return;
    }
    vec_push(w->arena, points, point);
}

/* -b / a, or (-b + root sqrt(disc)) / (2 a). */
static struct point root_linear(struct work *w, const fmpz_mpoly_struct *a,
                                const fmpz_mpoly_struct *b)
{
    fmpz_mpoly_struct *num = work_mpoly(w);
    fmpz_mpoly_neg(num, b, w->ctx);
    return (struct point){.kind = POINT_ROOT, .a = num, .d = a};
}

struct quadratic {
    fmpz_mpoly_struct *a, *b, *c, *disc;
};

static struct quadratic quadratic_of(struct work *w, const struct polynomial *f, int x)
{
    struct quadratic q = {work_mpoly(w), work_mpoly(w), work_mpoly(w), work_mpoly(w)};
    work_coefficient(w, q.a, f->p, x, 2);
    work_coefficient(w, q.b, f->p, x, 1);
    work_coefficient(w, q.c, f->p, x, 0);
    fmpz_mpoly_t product;
    fmpz_mpoly_init(product, w->ctx);
    work_mul(w, product, q.a, q.c);
    fmpz_mpoly_scalar_mul_ui(product, product, 4, w->ctx);
    work_mul(w, q.disc, q.b, q.b);
    fmpz_mpoly_sub(q.disc, q.disc, product, w->ctx);
    fmpz_mpoly_clear(product, w->ctx);
    return q;
}

static struct point root_quadratic(struct work *w, const struct quadratic *q, int root)
{
    struct point point = root_linear(w, q->a, q->b);
    fmpz_mpoly_struct *b = work_mpoly(w), *d = work_mpoly(w);
    fmpz_mpoly_set_si(b, root, w->ctx);
    fmpz_mpoly_scalar_mul_ui(d, q->a, 2, w->ctx);
    point.b = b;
    point.c = q->disc;
    point.d = d;
    return point;
}

enum { SIGN_NONZERO = SIGN_NEGATIVE | SIGN_POSITIVE };

static const struct node *both(struct work *w, const fmpz_mpoly_struct *p, unsigned p_signs,
                               const fmpz_mpoly_struct *q, unsigned q_signs)
{
    return node_and2(w, node_sign(w, p, p_signs), node_sign(w, q, q_signs));
}

void points_of_equation(struct work *w, const struct polynomial *factor, int x, point_list *points)
{
    struct quadratic q = quadratic_of(w, factor, x);
    struct point point = root_linear(w, q.b, q.c);
    point.guard = both(w, q.a, SIGN_ZERO, q.b, SIGN_NONZERO);
    point_add(w, points, point);
    for (int root = -1; root <= 1 && !fmpz_mpoly_is_zero(q.a, w->ctx); root += 2) {
        point = root_quadratic(w, &q, root);
        point.guard = both(w, q.a, SIGN_NONZERO, q.disc, SIGN_ZERO | SIGN_POSITIVE);
        point_add(w, points, point);
    }
}

/* The factors of the atom without x. */
static struct product factors_without(struct work *w, const struct node *atom, int x)
{
    struct product rest = product_one();
    for (size_t i = 0; i < atom->count; i++)
        if (!(atom->factors[i]->uses >> x & 1))
            product_multiply_factor(w, &rest, atom->factors[i]);
    return rest;
}

/* Where the atom may begin to hold at a zero whose slope has the sign of `coefficient`. */
static const struct node *slope_guard(struct search *s, const struct node *atom,
                                      const fmpz_mpoly_struct *coefficient, bool alone)
{
    bool turns = (atom->signs & SIGN_NONZERO) != SIGN_NONZERO && (atom->signs & SIGN_NONZERO);
    if (!alone || !turns)
        return node_sign(s->w, coefficient, SIGN_NONZERO);
    struct product slope = factors_without(s->w, atom, s->x);
    product_multiply(s->w, &slope, coefficient);
    bool rising = ((atom->signs & SIGN_POSITIVE) != 0) == (s->direction > 0);
    return node_product(s->w, &slope, rising ? SIGN_POSITIVE : SIGN_NEGATIVE);
}

/* `alone`: the only factor with x. */
static void points_of_factor(struct search *s, const struct node *atom, const struct polynomial *f,
                             bool alone)
{
    struct work *w = s->w;
    struct quadratic q = quadratic_of(w, f, s->x);
    int epsilon = atom->signs & SIGN_ZERO ? 0 : s->direction;
    struct point point = root_linear(w, q.b, q.c);
    point.epsilon = epsilon;
    point.guard = node_and2(w, node_sign(w, q.a, SIGN_ZERO), slope_guard(s, atom, q.b, alone));
    point.guard = node_reduce(w, point.guard, s->theory);
    point_add(w, &s->points, point);
    unsigned turning = atom->signs & SIGN_NONZERO;
    for (int root = -1; root <= 1 && !fmpz_mpoly_is_zero(q.a, w->ctx); root += 2) {
        int wanted = turning == SIGN_POSITIVE   ? s->direction
                     : turning == SIGN_NEGATIVE ? -s->direction
                                                : root;
        if (root != wanted && atom->count == 1)
            continue;
        point = root_quadratic(w, &q, root);
        point.epsilon = epsilon;
        point.guard = both(w, q.a, SIGN_NONZERO, q.disc, SIGN_ZERO | SIGN_POSITIVE);
        point.guard = node_reduce(w, point.guard, s->theory);
        point_add(w, &s->points, point);
    }
}

static bool points_search(struct search *s)
{
    struct point end = {.kind = s->direction > 0 ? POINT_BELOW : POINT_ABOVE, .guard = s->w->truth};
    vec_push(s->w->arena, &s->points, end);
    for (size_t i = 0; i < s->atoms.count; i++) {
        const struct node *atom = s->atoms.at[i];
        size_t with = 0;
        for (size_t k = 0; k < atom->count; k++)
            with += atom->factors[k]->uses >> s->x & 1;
        for (size_t k = 0; k < atom->count; k++) {
            if (!(atom->factors[k]->uses >> s->x & 1))
                continue;
            if (work_degree(s->w, atom->factors[k]->p, s->x) > 2)
                return false;
            points_of_factor(s, atom, atom->factors[k], with == 1);
        }
    }
    return true;
}

bool points_make(struct work *w, const struct node *node, int x, const struct theory *theory,
                 point_list *points)
{
    struct search left = {.w = w, .x = x, .direction = 1, .theory = theory};
    atoms_collect(&left, node);
    struct search right = left;
    right.direction = -1;
    if (!points_search(&left) || !points_search(&right))
        return false;
    *points = right.points.count < left.points.count ? right.points : left.points;
    return true;
}
