/* Simplification without the solver. In: a node and what is known; out: an equivalent one under it.
   A conjunction's atoms are put together by shape: of each shape the tightest bounds remain, as far
   as they say more than what is known from outside; products lose factors of known sign; then the
   disjunctions inside are simplified under all that, and what becomes an atom of them starts the
   round again. Disjunctions go the dual way: their negation is a conjunction. Source: Dolzmann and
   Sturm, Simplification of quantifier-free formulas over ordered fields, JSC 1997 (the idea of a
   theory passed down). */
#include "constraints/project/work.h"

enum { ROUND_LIMIT = 8 };

struct reduction {
    struct work *w;
    const struct theory *outside;
    struct theory *all;                       /* outside and the atoms here */
    VEC(const struct polynomial *) shapes;    /* of the atoms here, in order */
    VEC(const struct node *) products, rest;  /* atoms of several factors, disjunctions */
    VEC(const struct node *) pending;         /* conjuncts not looked at yet */
};

/* An atom with factors of known sign taken out. */
static const struct node *product_reduce(struct work *w, const struct node *atom,
                                         const struct theory *theory)
{
    struct product product = product_one();
    for (size_t i = 0; i < atom->count; i++) {
        switch (theory_signs_deep(w, theory, atom->factors[i])) {
        case SIGN_ZERO: product.sign = 0; break;
        case SIGN_POSITIVE: break;
        case SIGN_NEGATIVE: product.sign = -product.sign; break;
        default: product_multiply_factor(w, &product, atom->factors[i]);
        }
    }
    return node_product(w, &product, atom->signs);
}

static void shape_note(struct reduction *r, const struct polynomial *shape)
{
    for (size_t i = 0; i < r->shapes.count; i++)
        if (r->shapes.at[i] == shape)
            return;
    vec_push(r->w->arena, &r->shapes, shape);
}

/* Sorts the pending conjuncts; false on contradiction. */
static bool pending_sort(struct reduction *r)
{
    for (size_t i = 0; i < r->pending.count; i++) {
        const struct node *node = r->pending.at[i];
        switch (node->kind) {
        case NODE_TRUE: break;
        case NODE_FALSE: return false;
        case NODE_OR: vec_push(r->w->arena, &r->rest, node); break;
        case NODE_AND:
            for (size_t j = 0; j < node->count; j++)
                vec_push(r->w->arena, &r->pending, node->at[j]);
            break;
        case NODE_ATOM:
            if (node->count > 1) {
                vec_push(r->w->arena, &r->products, node);
                break;
            }
            shape_note(r, node->factors[0]->shape);
            if (!theory_add(r->w, r->all, node))
                return false;
        }
    }
    r->pending.count = 0;
    return true;
}

/* Products that become something else are pending again. */
static void products_settle(struct reduction *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->products.count; i++) {
        const struct node *atom = r->products.at[i], *reduced = product_reduce(r->w, atom, r->all);
        if (reduced == atom)
            r->products.at[kept++] = atom;
        else
            vec_push(r->w->arena, &r->pending, reduced);
    }
    r->products.count = kept;
}

static void rest_settle(struct reduction *r)
{
    struct theory *inside = theory_copy(r->w, r->all);
    for (size_t i = 0; i < r->products.count; i++)
        theory_add(r->w, inside, r->products.at[i]);
    size_t kept = 0;
    for (size_t i = 0; i < r->rest.count; i++) {
        const struct node *reduced = node_reduce(r->w, r->rest.at[i], inside);
        if (reduced->kind == NODE_OR)
            r->rest.at[kept++] = reduced;
        else
            vec_push(r->w->arena, &r->pending, reduced);
    }
    r->rest.count = kept;
}

/* --- what remains, as atoms again ------------------------------------------------------------ */

typedef VEC(const struct node *) node_list;

/* The bounds of the variables may know better. */
static void bound_emit(struct reduction *r, node_list *out, const struct polynomial *bound,
                       unsigned signs)
{
    unsigned possible = theory_signs_bounds(r->w, r->all, bound);
    if (possible & ~signs)
        vec_push(r->w->arena, out, node_factor(r->w, bound, possible & signs));
    else if (!(possible & signs))
        vec_push(r->w->arena, out, r->w->falsity);
}

static bool bound_same(const struct polynomial *a, bool a_strict, const struct polynomial *b,
                       bool b_strict)
{
    return a == b || (a && b && fmpq_equal(a->threshold, b->threshold)) ? a_strict == b_strict
                                                                        : false;
}

static bool hole_inside(const struct known *known, const struct polynomial *hole)
{
    return (!known->lo || fmpq_cmp(hole->threshold, known->lo->threshold) > 0) &&
           (!known->hi || fmpq_cmp(hole->threshold, known->hi->threshold) < 0);
}

static bool hole_known(const struct known *known, const struct polynomial *hole)
{
    for (size_t i = 0; known && i < known->holes.count; i++)
        if (known->holes.at[i] == hole)
            return true;
    return false;
}

/* What is known of a shape beyond what was known outside. */
static void shape_emit(struct reduction *r, node_list *out, const struct polynomial *shape)
{
    static const struct known nothing;
    const struct known *known = theory_known(r->all, shape),
                       *before = theory_known(r->outside, shape);
    if (!before)
        before = &nothing;
    bool lo = known->lo && !bound_same(known->lo, known->lo_strict, before->lo, before->lo_strict);
    bool hi = known->hi && !bound_same(known->hi, known->hi_strict, before->hi, before->hi_strict);
    if (known->lo && known->hi && fmpq_equal(known->lo->threshold, known->hi->threshold)) {
        if (lo || hi)
            bound_emit(r, out, known->lo, SIGN_ZERO);
        return;
    }
    if (lo)
        bound_emit(r, out, known->lo, SIGN_POSITIVE | (known->lo_strict ? 0u : SIGN_ZERO));
    if (hi)
        bound_emit(r, out, known->hi, SIGN_NEGATIVE | (known->hi_strict ? 0u : SIGN_ZERO));
    for (size_t i = 0; i < known->holes.count; i++)
        if (hole_inside(known, known->holes.at[i]) && !hole_known(before, known->holes.at[i]))
            bound_emit(r, out, known->holes.at[i], SIGN_NEGATIVE | SIGN_POSITIVE);
}

static bool factors_same(const struct node *a, const struct node *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->factors[i] != b->factors[i])
            return false;
    return true;
}

/* The atoms about one product, put together at the first of them. */
static void product_emit(struct reduction *r, node_list *out, size_t index)
{
    const struct node *atom = r->products.at[index];
    unsigned signs = SIGN_ANY, outside = SIGN_ANY;
    for (size_t i = 0; i < r->products.count; i++) {
        if (!factors_same(atom, r->products.at[i]))
            continue;
        if (i < index)
            return;
        signs &= r->products.at[i]->signs;
    }
    for (size_t i = 0; r->outside && i < r->outside->products.count; i++)
        if (factors_same(atom, r->outside->products.at[i]))
            outside &= r->outside->products.at[i]->signs;
    if (!(outside & ~signs))
        return;
    struct product product = product_one();
    for (size_t i = 0; i < atom->count; i++)
        product_multiply_factor(r->w, &product, atom->factors[i]);
    vec_push(r->w->arena, out, node_product(r->w, &product, signs & outside));
}

static const struct node *reduction_emit(struct reduction *r)
{
    node_list out = {0};
    for (size_t i = 0; i < r->shapes.count; i++)
        shape_emit(r, &out, r->shapes.at[i]);
    for (size_t i = 0; i < r->products.count; i++)
        product_emit(r, &out, i);
    for (size_t i = 0; i < r->rest.count; i++)
        vec_push(r->w->arena, &out, r->rest.at[i]);
    for (size_t i = 0; i < r->pending.count; i++)
        vec_push(r->w->arena, &out, r->pending.at[i]);
    return node_and(r->w, out.at, out.count);
}

/* --- constants ------------------------------------------------------------------------------- */

struct constant {
    struct work *w;
    const struct polynomial *equation;   /* variable = threshold */
    bool outside;                        /* it is known already, so that it need not be said */
};

static const struct node *constant_put_in(void *state, const struct node *atom)
{
    const struct constant *c = state;
    struct work *w = c->w;
    int x = c->equation->variable;
    if (!(atom->uses >> x & 1) ||
        (!c->outside && atom->count == 1 && atom->factors[0] == c->equation))
        return atom;
    struct product product = product_one();
    fmpz_mpoly_t sum, term;
    fmpz_t power;
    fmpz_mpoly_init(sum, w->ctx);
    fmpz_mpoly_init(term, w->ctx);
    fmpz_init(power);
    for (size_t i = 0; i < atom->count; i++) {
        unsigned degree = work_degree(w, atom->factors[i]->p, x);
        fmpz_mpoly_zero(sum, w->ctx);
        for (unsigned k = degree + 1; k-- > 0;) {
            fmpz_mpoly_scalar_mul_fmpz(sum, sum, fmpq_numref(c->equation->threshold), w->ctx);
            work_coefficient(w, term, atom->factors[i]->p, x, k);
            fmpz_pow_ui(power, fmpq_denref(c->equation->threshold), degree - k);
            fmpz_mpoly_scalar_mul_fmpz(term, term, power, w->ctx);
            fmpz_mpoly_add(sum, sum, term, w->ctx);
        }
        product_multiply(w, &product, sum);
    }
    fmpz_clear(power);
    fmpz_mpoly_clear(sum, w->ctx);
    fmpz_mpoly_clear(term, w->ctx);
    return node_product(w, &product, atom->signs);
}

static bool fixes(const struct known *known)
{
    return known->shape->variable >= 0 && known->lo && known->hi &&
           fmpq_equal(known->lo->threshold, known->hi->threshold);
}

/* The conjunction with the values of variables put in that the theory fixes, or itself for all
   other places. */
static const struct node *constants_put_in(struct work *w, const struct node *node,
                                           const struct theory *theory)
{
    size_t i = 0;
    for (size_t k = 0; theory && k < theory->known.count; k++) {
        const struct known *known = theory->known.at + k;
        if (!fixes(known) || !(node->uses >> known->shape->variable & 1))
            continue;
        struct constant constant = {w, known->lo, true};
        node = node_map(w, node, constant_put_in, &constant);
    }
    while (node->kind == NODE_AND && i < node->count && !w->broken) {
        const struct node *atom = node->at[i++], *before = node;
        if (atom->kind != NODE_ATOM || atom->signs != SIGN_ZERO || atom->factors[0]->variable < 0)
            continue;
        struct constant constant = {w, atom->factors[0], false};
        node = node_map(w, node, constant_put_in, &constant);
        i = node == before ? i : 0;
    }
    return node;
}

static const struct node *conjunction_reduce(struct work *w, const struct node *node,
                                             const struct theory *theory)
{
    struct reduction r = {.w = w, .outside = theory, .all = theory_copy(w, theory)};
    const struct node *const *at;
    node = constants_put_in(w, node, theory);
    size_t count = node_conjuncts(&node, &at);
    for (size_t i = 0; i < count; i++)
        vec_push(w->arena, &r.pending, at[i]);
    for (int round = 0; r.pending.count && round < ROUND_LIMIT && !w->broken; round++) {
        if (!pending_sort(&r))
            return w->falsity;
        products_settle(&r);
        if (!r.pending.count)
            rest_settle(&r);
    }
    return reduction_emit(&r);
}

const struct node *node_reduce(struct work *w, const struct node *node, const struct theory *theory)
{
    if (w->broken || node->kind == NODE_TRUE || node->kind == NODE_FALSE)
        return node;
    if (node->kind == NODE_OR)
        return node_not(w, conjunction_reduce(w, node_not(w, node), theory));
    return conjunction_reduce(w, node, theory);
}
