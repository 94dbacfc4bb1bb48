/* Interned formulas. In: products with sets of signs, operands; out: nodes that are equal if and
   only if built alike. Constructors keep nodes small without any reasoning: a product is split so
   that its sign depends on distinct factors (p^2 q > 0 is p != 0 and q > 0), an equation of a
   product is a disjunction, that of a sum of squares a conjunction, duplicates and complementary
   operands are found by their pointers. Operands keep the order in which they come. */
#include "base/map.h"
#include "constraints/project/work.h"
#include <string.h>

unsigned signs_mirror(unsigned signs)
{
    return (signs & SIGN_ZERO) | (signs & SIGN_NEGATIVE ? SIGN_POSITIVE : 0u) |
           (signs & SIGN_POSITIVE ? SIGN_NEGATIVE : 0u);
}

static bool node_same(const struct node *a, const struct node *b)
{
    return a->hash == b->hash && a->kind == b->kind && a->signs == b->signs &&
           a->count == b->count &&
           !memcmp(a->kind == NODE_ATOM ? (const void *)a->factors : (const void *)a->at,
                   b->kind == NODE_ATOM ? (const void *)b->factors : (const void *)b->at,
                   a->count * sizeof(void *));
}

static const struct node **node_place(struct work *w, const struct node *node)
{
    size_t i = node->hash & (w->node_capacity - 1);
    while (w->nodes[i] && !node_same(w->nodes[i], node))
        i = (i + 1) & (w->node_capacity - 1);
    return w->nodes + i;
}

static void nodes_grow(struct work *w)
{
    if (2 * w->node_count < w->node_capacity)
        return;
    const struct node **old = w->nodes;
    size_t capacity = w->node_capacity;
    w->node_capacity = capacity ? 2 * capacity : 256;
    w->nodes = ARENA_ARRAY(w->arena, const struct node *, w->node_capacity);
    for (size_t i = 0; i < capacity; i++)
        if (old[i])
            *node_place(w, old[i]) = old[i];
}

/* The interned equal of *key, whose array is copied if it is new. */
static const struct node *node_intern(struct work *w, struct node *key)
{
    nodes_grow(w);
    key->hash = hash_bytes(HASH_START, &key->kind, sizeof key->kind);
    key->hash = hash_bytes(key->hash, &key->signs, sizeof key->signs);
    for (size_t i = 0; i < key->count; i++) {
        size_t id = key->kind == NODE_ATOM ? key->factors[i]->id : key->at[i]->id;
        key->hash = hash_bytes(key->hash, &id, sizeof id);
    }
    const struct node **place = node_place(w, key);
    if (*place)
        return *place;
    work_charge(w, 1 + key->count);
    struct node *node = ARENA_NEW(w->arena, struct node);
    *node = *key;
    node->id = w->node_count++;
    const void **copy = ARENA_ARRAY(w->arena, const void *, key->count);
    memcpy(copy, key->kind == NODE_ATOM ? (const void *)key->factors : (const void *)key->at,
           key->count * sizeof *copy);
    if (key->kind == NODE_ATOM)
        node->factors = (const struct polynomial *const *)copy;
    else
        node->at = (const struct node *const *)copy;
    return *place = node;
}

/* --- atoms ----------------------------------------------------------------------------------- */

/* Distinct factors, oldest first; the empty product is 1. */
static const struct node *atom_make(struct work *w, const struct polynomial *const *factors,
                                    size_t count, unsigned signs)
{
    if (!count)
        return signs & SIGN_POSITIVE ? w->truth : w->falsity;
    if (!signs || signs == SIGN_ANY)
        return signs ? w->truth : w->falsity;
    struct node key = {.kind = NODE_ATOM, .signs = signs, .factors = factors, .count = count};
    for (size_t i = 0; i < count; i++)
        key.uses |= factors[i]->uses;
    return node_intern(w, &key);
}

const struct node *node_factor(struct work *w, const struct polynomial *factor, unsigned signs)
{
    return atom_make(w, &factor, 1, signs);
}

/* A sum of squares is zero where all its terms are, a term where one of its variables is. */
static const struct node *squares_zero(struct work *w, const struct polynomial *sum)
{
    const struct node *all = w->truth;
    ulong exponents[RING_CAPACITY];
    fmpz_mpoly_t x;
    fmpz_mpoly_init(x, w->ctx);
    for (slong i = 0; i < sum->p->length; i++) {
        const struct node *any = w->falsity;
        mpoly_exponents(exponents, sum->p, i, w->ctx);
        for (int v = 0; v < w->variables; v++) {
            if (!exponents[v])
                continue;
            fmpz_mpoly_gen(x, v, w->ctx);
            any = node_or2(w, any, node_sign(w, x, SIGN_ZERO));
        }
        all = node_and2(w, all, any);
    }
    fmpz_mpoly_clear(x, w->ctx);
    return all;
}

/* Some of the product's factors is zero; those that have no sign only if so asked. */
static const struct node *some_zero(struct work *w, const struct product *product, bool square_only)
{
    VEC(const struct node *) zero = {0};
    for (size_t i = 0; i < product->at.count; i++) {
        const struct polynomial *factor = product->at.at[i];
        if (factor->definite)
            vec_push(w->arena, &zero, squares_zero(w, factor));
        else if (!square_only || product->multiplicity.at[i] == 2)
            vec_push(w->arena, &zero, node_factor(w, factor, SIGN_ZERO));
    }
    return node_or(w, zero.at, zero.count);
}

/* Factors of even multiplicity and sums of squares only say where the product is zero. */
const struct node *node_product(struct work *w, const struct product *product, unsigned signs)
{
    if (product->sign == 0)
        return signs & SIGN_ZERO ? w->truth : w->falsity;
    if (product->sign < 0)
        signs = signs_mirror(signs);
    if (!signs || signs == SIGN_ANY)
        return signs ? w->truth : w->falsity;
    if (signs == SIGN_ZERO)
        return some_zero(w, product, false);
    if (signs == (SIGN_NEGATIVE | SIGN_POSITIVE))
        return node_not(w, some_zero(w, product, false));
    VEC(const struct polynomial *) odd = {0};
    for (size_t i = 0; i < product->at.count; i++)
        if (product->multiplicity.at[i] == 1 && !product->at.at[i]->definite)
            vec_push(w->arena, &odd, product->at.at[i]);
    const struct node *atom = atom_make(w, odd.at, odd.count, signs),
                      *zero = some_zero(w, product, true);
    return signs & SIGN_ZERO ? node_or2(w, zero, atom) : node_and2(w, node_not(w, zero), atom);
}

const struct node *node_sign(struct work *w, const fmpz_mpoly_t p, unsigned signs)
{
    struct product product = product_one();
    product_multiply(w, &product, p);
    return node_product(w, &product, signs);
}

/* --- connectives ----------------------------------------------------------------------------- */

typedef VEC(const struct node *) node_list;

static bool list_has(const node_list *list, const struct node *node)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i] == node)
            return true;
    return false;
}

/* False if the operand makes the whole constant. */
static bool operand_add(struct work *w, node_list *list, enum node_kind kind,
                        const struct node *node)
{
    if (node->kind == NODE_TRUE || node->kind == NODE_FALSE)
        return (node->kind == NODE_TRUE) == (kind == NODE_AND);
    if (node->kind == kind) {
        for (size_t i = 0; i < node->count; i++)
            if (!operand_add(w, list, kind, node->at[i]))
                return false;
        return true;
    }
    if (list_has(list, node))
        return true;
    if (node->negation && list_has(list, node->negation))
        return false;
    vec_push(w->arena, list, node);
    return true;
}

static const struct node *connect(struct work *w, enum node_kind kind, const struct node *const *at,
                                  size_t count)
{
    node_list list = {0};
    for (size_t i = 0; i < count; i++)
        if (!operand_add(w, &list, kind, at[i]))
            return kind == NODE_AND ? w->falsity : w->truth;
    if (!list.count)
        return kind == NODE_AND ? w->truth : w->falsity;
    if (list.count == 1)
        return list.at[0];
    struct node key = {.kind = kind, .at = list.at, .count = list.count};
    for (size_t i = 0; i < list.count; i++)
        key.uses |= list.at[i]->uses;
    return node_intern(w, &key);
}

const struct node *node_and(struct work *w, const struct node *const *at, size_t count)
{
    return connect(w, NODE_AND, at, count);
}

const struct node *node_or(struct work *w, const struct node *const *at, size_t count)
{
    return connect(w, NODE_OR, at, count);
}

const struct node *node_and2(struct work *w, const struct node *a, const struct node *b)
{
    return connect(w, NODE_AND, (const struct node *[]){a, b}, 2);
}

const struct node *node_or2(struct work *w, const struct node *a, const struct node *b)
{
    return connect(w, NODE_OR, (const struct node *[]){a, b}, 2);
}

static const struct node *negation_make(struct work *w, const struct node *node)
{
    if (node->kind == NODE_ATOM)
        return atom_make(w, node->factors, node->count, SIGN_ANY & ~node->signs);
    node_list list = {0};
    for (size_t i = 0; i < node->count; i++)
        vec_push(w->arena, &list, node_not(w, node->at[i]));
    return connect(w, node->kind == NODE_AND ? NODE_OR : NODE_AND, list.at, list.count);
}

/* The two nodes know each other afterwards. */
const struct node *node_not(struct work *w, const struct node *node)
{
    if (!node->negation) {
        const struct node *negation = negation_make(w, node);
        ((struct node *)node)->negation = negation;
        if (!negation->negation)
            ((struct node *)negation)->negation = node;
    }
    return node->negation;
}

struct mapping {
    struct work *w;
    struct map *done;
    const struct node *(*atom)(void *state, const struct node *node);
    void *state;
};

static const struct node *mapped(struct mapping *m, const struct node *node)
{
    if (node->kind == NODE_TRUE || node->kind == NODE_FALSE || m->w->broken)
        return node;
    if (node->kind == NODE_ATOM)
        return m->atom(m->state, node);
    const struct node *done = map_get_pointer(m->done, node);
    if (done)
        return done;
    node_list list = {0};
    enum node_kind zero = node->kind == NODE_AND ? NODE_FALSE : NODE_TRUE;
    for (size_t i = 0; i < node->count; i++) {
        vec_push(m->w->arena, &list, mapped(m, node->at[i]));
        if (vec_last(&list)->kind == zero)
            break;
    }
    done = connect(m->w, node->kind, list.at, list.count);
    map_put_pointer(m->done, node, (void *)done);
    return done;
}

const struct node *node_map(struct work *w, const struct node *node,
                            const struct node *(*atom)(void *state, const struct node *),
                            void *state)
{
    struct mapping m = {w, map_new(w->arena), atom, state};
    return mapped(&m, node);
}

size_t node_conjuncts(const struct node *const *node, const struct node *const **at)
{
    *at = (*node)->kind == NODE_AND ? (*node)->at : node;
    return (*node)->kind == NODE_AND ? (*node)->count : (*node)->kind != NODE_TRUE;
}

size_t node_disjuncts(const struct node *const *node, const struct node *const **at)
{
    *at = (*node)->kind == NODE_OR ? (*node)->at : node;
    return (*node)->kind == NODE_OR ? (*node)->count : (*node)->kind != NODE_FALSE;
}
