/* Tests without consequence: both branches ask the same and run the same.

   In: a tree of cases. Out: one with fewer tests; a case that now stands for several has the
   constraints of the path that is left. Invariant: what runs at a point stays the same. */
#include "optimizer/cases.h"

struct merging {
    const struct search_space *space;
    struct tree_stats *stats;
};

/* Is p over the slots of a the same as q over those of b, whatever the numbers of their auxiliary
   integers are? */
static bool polys_equal(const struct merging *m, const struct case_node *a, const struct poly *p,
                        const struct case_node *b, const struct poly *q)
{
    const struct search_space *space = m->space;
    int at[RING_CAPACITY];
    for (int v = 0; v < RING_CAPACITY; v++)
        at[v] = v;
    for (int i = 0; i < a->slots.count; i++) {
        int variable = space_slot(space, i), place = slots_find(b->slots, a->slots.at[i]);
        if (place < 0 && poly_uses(p, variable))
            return false;
        at[variable] = place < 0 ? space_slot(space, 0) : space_slot(space, place);
    }
    return poly_equal(poly_rename(space->ring, p, at), q);
}

static bool tests_equal(const struct merging *m, const struct case_node *a,
                        const struct case_node *b)
{
    return a->test.relation == b->test.relation &&
           polys_equal(m, a, a->test.poly, b, b->test.poly);
}

static bool keys_equal(const struct merging *m, const struct case_node *a,
                       const struct case_node *b)
{
    bool equal = b->part && a->part->id == b->part->id && a->part->n_keys == b->part->n_keys;
    for (size_t i = 0; equal && i < a->part->n_keys; i++)
        equal = polys_equal(m, a, a->part->keys[i], b, b->part->keys[i]);
    return equal;
}

static bool nodes_alike(const struct merging *m, const struct case_node *a,
                        const struct case_node *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == CASE_LEAF)
        return a->leaf->version == b->leaf->version;
    if (a->kind != CASE_FORK)
        return true;
    return tests_equal(m, a, b) && nodes_alike(m, a->accept, b->accept) &&
           nodes_alike(m, a->refuse, b->refuse);
}

/* The part of a goal that both ask for: without keys where those of the two codes differ. */
static const struct counter_test *part_join(const struct merging *m, const struct case_node *a,
                                            const struct case_node *b)
{
    if (!a->part || keys_equal(m, a, b))
        return a->part;
    struct counter_test *part = ARENA_NEW(m->space->arena, struct counter_test);
    *part = *a->part;
    part->n_keys = 0;
    return part;
}

/* `a` with the cases of `b`, which is alike, taken in: their constraints are found later. */
static const struct case_node *nodes_join(const struct merging *m, const struct case_node *a,
                                          const struct case_node *b)
{
    struct arena *arena = m->space->arena;
    if (a->kind != CASE_LEAF && a->kind != CASE_FORK)
        return a;
    struct case_node *joined = ARENA_NEW(arena, struct case_node);
    *joined = *a;
    if (a->kind == CASE_FORK) {
        joined->part = part_join(m, a, b);
        joined->proposed = a->proposed ? a->proposed : b->proposed;
        joined->accept = nodes_join(m, a->accept, b->accept);
        joined->refuse = nodes_join(m, a->refuse, b->refuse);
        return joined;
    }
    struct tree_case *leaf = ARENA_NEW(arena, struct tree_case);
    *leaf = *a->leaf;
    leaf->unknown |= b->leaf->unknown;
    leaf->merged = true;
    joined->leaf = leaf;
    m->stats->cases_merged++;
    return joined;
}

static const struct case_node *node_merge(const struct merging *m, const struct case_node *node)
{
    if (node->kind != CASE_FORK)
        return node;
    const struct case_node *accept = node_merge(m, node->accept),
                           *refuse = node_merge(m, node->refuse);
    if (accept->kind != CASE_REST && nodes_alike(m, accept, refuse))
        return nodes_join(m, accept, refuse);
    if (accept == node->accept && refuse == node->refuse)
        return node;
    struct case_node *kept = ARENA_NEW(m->space->arena, struct case_node);
    *kept = *node;
    kept->accept = accept;
    kept->refuse = refuse;
    return kept;
}

/* Merged cases get the constraints of their path. */
static const struct case_node *node_constrain(const struct merging *m, const struct case_node *node,
                                              struct sas path)
{
    struct arena *arena = m->space->arena;
    struct case_node *made = ARENA_NEW(arena, struct case_node);
    *made = *node;
    if (node->kind == CASE_FORK) {
        made->accept = node_constrain(m, node->accept, sas_add(arena, path, node->test));
        made->refuse = node_constrain(m, node->refuse,
                                      sas_add(arena, path, constraint_negate(node->test)));
        return made;
    }
    if (node->kind != CASE_LEAF || !node->leaf->merged)
        return node;
    struct tree_case *leaf = ARENA_NEW(arena, struct tree_case);
    *leaf = *node->leaf;
    leaf->constraints = path;
    made->leaf = leaf;
    return made;
}

const struct case_tree *cases_merge_equal(const struct case_tree *tree, struct tree_stats *stats)
{
    struct merging m = {tree->store->space, stats};
    const struct case_node *root = node_merge(&m, tree->root);
    return case_tree_with(tree, node_constrain(&m, root, sas_empty(m.space->ring)));
}
