/* Tests that tell nothing: those that always hold, and those that never do.

   In: a tree of cases with empty branches. Out: the same cases behind fewer tests, and no empty
   branch. A refuse edge takes over what is applied behind a test that it makes superfluous:
   "granularity, cse1". */
#include "optimizer/cases.h"

static bool is_fork(const struct case_node *node)
{
    return node->kind == CASE_FORK;
}

/* What a strategy requires always holds: the strategy is simply applied. */
static bool requirement_holds(const struct case_node *node)
{
    return node->condition && node->accept->kind != CASE_EMPTY && node->refuse->kind == CASE_EMPTY;
}

static const char *names_join(struct arena *arena, const char *first, const char *second)
{
    if (!first || !second)
        return first ? first : second;
    return arena_printf(arena, "%s, %s", first, second);
}

static const struct case_node *node_drop(struct arena *arena, const struct case_node *node)
{
    if (!is_fork(node))
        return node;
    const struct case_node *accept = node_drop(arena, node->accept), *refuse = node->refuse;
    if (refuse->kind == CASE_EMPTY)
        return accept;
    const char *strategy = node->strategy;
    while (is_fork(refuse) && (requirement_holds(refuse) || refuse->accept->kind == CASE_EMPTY)) {
        bool holds = requirement_holds(refuse);
        strategy = names_join(arena, strategy, holds ? refuse->condition : refuse->strategy);
        refuse = holds ? refuse->accept : refuse->refuse;
    }
    refuse = node_drop(arena, refuse);
    if (accept->kind == CASE_EMPTY || refuse->kind == CASE_EMPTY)
        return accept->kind == CASE_EMPTY ? refuse : accept;
    struct case_node *kept = ARENA_NEW(arena, struct case_node);
    *kept = *node;
    kept->strategy = refuse->kind == CASE_REST ? NULL : strategy;
    kept->accept = accept;
    kept->refuse = refuse;
    return kept;
}

const struct case_tree *cases_drop_constant(const struct case_tree *tree)
{
    return case_tree_with(tree, node_drop(tree->store->ctx->arena, tree->root));
}
