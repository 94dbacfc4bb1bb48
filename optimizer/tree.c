/* From a region to its decision tree: the middle of the tool as a list of steps, each from value
   to value.

   In: a region with its banded kernel, options. Out: the tree: initial system, variants in
   accept-first order with their cases, the safe variant last, the nodes for printing. Invariants:
   every variant has at least one system, except the safe one; in mode keep at most one system of
   the tree holds at a point; where none holds the safe variant runs. Source: spec C-16 … C-31;
   design, "Leaf and variant". */
#include "optimizer/middle.h"
#include <string.h>

/* At most so many versions as were asked for, and as one ring can name. Golden runs keep all. */
static const struct case_tree *cases_keep_few(const struct case_tree *tree,
                                              struct tree_stats *stats)
{
    const struct tree_options *options = tree->store->space->options;
    if (!options->golden && options->mode == TREE_KEEP)
        tree = cases_limit(tree, options->max_leaves ? options->max_leaves : MAX_LEAVES, stats);
    size_t used = case_tree_used(tree);
    while (used > MAX_LEAVES_LEAST && !cases_fit_ring(tree))
        tree = cases_limit(tree, --used, stats);
    return tree;
}

/* The tree with how it came about. */
static const struct tree *tree_with_stats(const struct middle *m, struct tree_stats *stats)
{
    struct tree *tree = ARENA_NEW(m->space->arena, struct tree);
    cost_switch(m->store, COST_SEARCH);
    stats->paths = m->search.n_leaves;
    stats->kernels = m->store->builds.count;
    stats->leaves_alike = m->search.n_leaves + 1 - m->found->n_versions;
    stats->questions_search = m->search.questions;
    memcpy(stats->seconds, m->store->watch.spent, sizeof stats->seconds);
    *tree = *m->simplified;
    tree->stats = stats;
    return tree;
}

const struct middle *middle_run(struct ctx *ctx, const struct region *region,
                                const struct tree_options *options)
{
    struct middle *m = ARENA_NEW(ctx->arena, struct middle);
    struct tree_stats *stats = ARENA_NEW(ctx->arena, struct tree_stats);
    bool prunes = !options->golden && options->mode == TREE_KEEP;

    m->space = space_make(ctx, region, options);
    if (!m->space)
        return NULL;
    m->store = store_new(m->space);
    cost_switch(m->store, COST_SEARCH);
    m->search = search_run(m->space, m->store);
    m->found = m->search.ok ? cases_make(m->store, &m->search) : NULL;
    if (!m->found)
        return NULL;
    cost_switch(m->store, COST_MERGE);
    m->constant = cases_drop_constant(m->found);
    cost_switch(m->store, COST_PRUNE);
    m->dominated = prunes ? cases_prune_dominated(m->constant, stats) : m->constant;
    m->limited = cases_keep_few(m->dominated, stats);
    cost_switch(m->store, COST_MERGE);
    m->merged = prunes ? cases_merge_equal(m->limited, stats) : m->limited;
    cost_switch(m->store, COST_CASES);
    m->named = cases_finish(m->merged);
    if (!m->named)
        return NULL;
    m->witnessed = tree_add_witnesses(ctx->arena, m->named);
    m->simplified = tree_simplify(ctx->arena, m->witnessed);
    m->tree = options->stats ? tree_with_stats(m, stats) : m->simplified;
    return m;
}

const struct tree *tree_build(struct ctx *ctx, const struct region *region,
                              const struct tree_options *options)
{
    const struct middle *m = middle_run(ctx, region, options);
    return m ? m->tree : NULL;
}
