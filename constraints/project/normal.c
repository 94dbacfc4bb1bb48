/* The readable form of a result. In: any node; out: where that is short, a disjunction of
   conjunctions that do not imply each other, with what all of them share in front; else the node
   simplified as it is. First without the solver: conjunctions are multiplied out, simplified,
   absorbed, merged where they differ in one place. Then with it (minimal.c). Deterministic: the
   order is that in which things were found, and of equivalent ones the earlier stays. */
#include "constraints/project/normal.h"

enum { NORMAL_LIMIT = 200, MINIMAL_LIMIT = 40, MINIMAL_ATOMS = 160, MINIMAL_STEPS = 200 * 1000 };

/* --- multiplying out ------------------------------------------------------------------------- */

static bool expand(struct normal *n, const struct node *node, node_list *out);

/* Each of `list` with each of the node's conjunctions. */
static bool expand_into(struct normal *n, node_list *list, const struct node *node)
{
    node_list own = {0}, product = {0};
    if (!expand(n, node, &own))
        return false;
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < own.count; j++) {
            const struct node *joined =
                node_reduce(n->w, node_and2(n->w, list->at[i], own.at[j]), n->theory);
            if (joined->kind != NODE_FALSE)
                vec_push(n->w->arena, &product, joined);
            if (product.count > NORMAL_LIMIT || n->w->broken)
                return false;
        }
    *list = product;
    return true;
}

static bool expand(struct normal *n, const struct node *node, node_list *out)
{
    const struct node *const *at;
    if (node->kind == NODE_OR) {
        for (size_t i = 0; i < node->count; i++)
            if (!expand(n, node->at[i], out))
                return false;
        return out->count <= NORMAL_LIMIT;
    }
    size_t count = node_conjuncts(&node, &at);
    node_list list = {0};
    vec_push(n->w->arena, &list, n->w->truth);
    for (int disjunctions = 0; disjunctions < 2; disjunctions++)
        for (size_t i = 0; i < count; i++) {
            if ((at[i]->kind == NODE_OR) != (disjunctions > 0))
                continue;
            if (at[i]->kind == NODE_OR ? !expand_into(n, &list, at[i]) : false)
                return false;
            for (size_t j = 0; at[i]->kind != NODE_OR && j < list.count; j++)
                list.at[j] = node_and2(n->w, list.at[j], at[i]);
        }
    for (size_t j = 0; j < list.count; j++)
        vec_push(n->w->arena, out, list.at[j]);
    return out->count <= NORMAL_LIMIT;
}

/* --- absorbing and merging ------------------------------------------------------------------- */

/* The theory with a conjunction; false if that is a contradiction. */
static bool theory_with(struct normal *n, const struct node *node, struct theory **with)
{
    const struct node *const *at;
    size_t count = node_conjuncts(&node, &at);
    *with = theory_copy(n->w, n->theory);
    for (size_t i = 0; i < count; i++)
        if (!theory_add(n->w, *with, at[i]))
            return false;
    return true;
}

/* Does a plainly imply b? */
static bool implies(struct normal *n, const struct node *a, const struct node *b)
{
    struct theory *with;
    return a == b || !theory_with(n, a, &with) || node_reduce(n->w, b, with)->kind == NODE_TRUE;
}

void disjunct_remove(struct normal *n, size_t i)
{
    for (size_t j = i + 1; j < n->disjuncts.count; j++)
        n->disjuncts.at[j - 1] = n->disjuncts.at[j];
    n->disjuncts.count--;
}

static void absorb(struct normal *n)
{
    for (size_t i = 0; i < n->disjuncts.count; i++) {
        bool absorbed = n->disjuncts.at[i]->kind == NODE_FALSE;
        for (size_t j = 0; !absorbed && j < n->disjuncts.count; j++)
            absorbed = j != i && implies(n, n->disjuncts.at[i], n->disjuncts.at[j]) &&
                       (j < i || !implies(n, n->disjuncts.at[j], n->disjuncts.at[i]));
        if (absorbed)
            disjunct_remove(n, i--);
    }
}

/* The conjuncts of a that are not conjuncts of b. */
static const struct node *difference(struct normal *n, const struct node *a, const struct node *b,
                                     const struct node **common)
{
    const struct node *const *at, *const *other;
    size_t count = node_conjuncts(&a, &at), others = node_conjuncts(&b, &other);
    node_list own = {0}, shared = {0};
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        for (size_t j = 0; j < others; j++)
            found |= other[j] == at[i];
        vec_push(n->w->arena, found ? &shared : &own, at[i]);
    }
    *common = node_and(n->w, shared.at, shared.count);
    return node_and(n->w, own.at, own.count);
}

/* C and a, or C and b, as one conjunction if a or b is an atom under C. */
static const struct node *merged(struct normal *n, const struct node *a, const struct node *b)
{
    const struct node *common;
    const struct node *own = difference(n, a, b, &common), *other = difference(n, b, a, &common);
    struct theory *with;
    if (own->kind != NODE_ATOM || other->kind != NODE_ATOM || !theory_with(n, common, &with))
        return NULL;
    const struct node *either = node_reduce(n->w, node_or2(n->w, own, other), with);
    return either->kind == NODE_OR || either->kind == NODE_AND ? NULL
                                                               : node_and2(n->w, common, either);
}

static void merge(struct normal *n)
{
    for (size_t i = 0; i < n->disjuncts.count; i++)
        for (size_t j = i + 1; j < n->disjuncts.count; j++) {
            const struct node *one = merged(n, n->disjuncts.at[i], n->disjuncts.at[j]);
            if (!one)
                continue;
            n->disjuncts.at[i] = one;
            disjunct_remove(n, j);
            j = i;
        }
}

/* --- the result ------------------------------------------------------------------------------ */

static bool has_conjunct(const struct node *node, const struct node *conjunct)
{
    const struct node *const *at;
    size_t count = node_conjuncts(&node, &at);
    for (size_t i = 0; i < count; i++)
        if (at[i] == conjunct)
            return true;
    return false;
}

/* What all disjuncts share stands in front. */
static const struct node *factor_out(struct normal *n)
{
    node_list shared = {0}, rest = {0};
    const struct node *first = n->disjuncts.at[0], *const *at;
    size_t count = node_conjuncts(&first, &at);
    for (size_t i = 0; i < count; i++) {
        bool everywhere = true;
        for (size_t j = 1; everywhere && j < n->disjuncts.count; j++)
            everywhere = has_conjunct(n->disjuncts.at[j], at[i]);
        if (everywhere)
            vec_push(n->w->arena, &shared, at[i]);
    }
    const struct node *common = node_and(n->w, shared.at, shared.count);
    for (size_t j = 0; j < n->disjuncts.count; j++) {
        const struct node *unused;
        vec_push(n->w->arena, &rest, difference(n, n->disjuncts.at[j], common, &unused));
    }
    return node_and2(n->w, common, node_or(n->w, rest.at, rest.count));
}

static size_t atoms_count(const struct normal *n)
{
    size_t sum = 0;
    for (size_t i = 0; i < n->disjuncts.count; i++)
        sum += n->disjuncts.at[i]->kind == NODE_AND ? n->disjuncts.at[i]->count : 1;
    return sum;
}

const struct node *node_normal(struct work *w, const struct node *node, const struct theory *theory,
                               struct sas context)
{
    struct normal n = {.w = w, .theory = theory, .context = context, .solver_steps = MINIMAL_STEPS};
    node = node_reduce(w, node, theory);
    if (node->kind == NODE_TRUE || node->kind == NODE_FALSE || !expand(&n, node, &n.disjuncts))
        return node;
    for (size_t i = 0; i < n.disjuncts.count; i++)
        n.disjuncts.at[i] = node_reduce(w, n.disjuncts.at[i], theory);
    absorb(&n);
    merge(&n);
    if (n.disjuncts.count <= MINIMAL_LIMIT && atoms_count(&n) <= MINIMAL_ATOMS)
        disjuncts_minimise(&n);
    if (!n.disjuncts.count)
        return w->falsity;
    absorb(&n);
    merge(&n);
    return node_reduce(w, factor_out(&n), theory);
}
