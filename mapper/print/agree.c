/* Parts of a region that do the same, by their trees.

   In: two expressions or two nodes of a fragment. Out: whether a thread computes the same by both.
   Names mean the same where they are one variable, iterators of loops that one axis runs, or
   iterators of loops that correspond to each other inside the nodes. */
#include "mapper/print/print.h"
#include "mapper/plan/box.h"
#include <string.h>

struct agreement {
    struct plan_text *t;
    VEC(const struct scop_loop *) first, second;   /* loops inside that correspond */
    VEC(const struct ast *) declared, other;       /* variables inside that do */
};

static bool loops_agree(const struct agreement *g, const struct scop_loop *a,
                        const struct scop_loop *b)
{
    int role = loop_role(g->t, a);
    if (a == b || (role != ROLE_NONE && role == loop_role(g->t, b)))
        return true;
    for (size_t i = 0; i < g->first.count; i++)
        if (g->first.at[i] == a && g->second.at[i] == b)
            return true;
    return false;
}

static bool variables_agree(const struct agreement *g, const struct ast *a, const struct ast *b)
{
    for (size_t i = 0; i < g->declared.count; i++)
        if (g->declared.at[i] == a && g->other.at[i] == b)
            return true;
    return a == b;
}

/* The innermost loops around the two sides. */
struct inner_pair {
    const struct scop_loop *a, *b;
};

static bool names_agree(const struct agreement *g, struct inner_pair inner, const struct ast *a,
                        const struct ast *b)
{
    const struct scop_loop *first = loop_counting(inner.a, a->decl);
    const struct scop_loop *second = loop_counting(inner.b, b->decl);
    if (memory_meant(g->t, a) != memory_meant(g->t, b))
        return false;
    return first && second ? loops_agree(g, first, second)
                           : !first && !second && variables_agree(g, a->decl, b->decl);
}

static void declare(struct agreement *g, const struct ast *a, const struct ast *b)
{
    vec_push(g->t->arena, &g->declared, a);
    vec_push(g->t->arena, &g->other, b);
}

static bool asts_agree(struct agreement *g, struct inner_pair inner, const struct ast *a,
                       const struct ast *b)
{
    a = element_meant(g->t, ast_strip(a));
    b = element_meant(g->t, ast_strip(b));
    if (!a || !b || a->kind != b->kind || a->op != b->op || a->n_children != b->n_children)
        return a == b;
    if (a->kind == AST_REF)
        return names_agree(g, inner, a, b);
    if (a->kind == AST_VARIABLE && memory_meant(g->t, a) != memory_meant(g->t, b))
        return false;
    if (a->kind == AST_VARIABLE)
        declare(g, a, b);
    bool types = !a->type || !b->type ? a->type == b->type
                                      : !strcmp(a->type->canonical, b->type->canonical);
    bool same = types && a->decl == b->decl && a->integer == b->integer && a->real == b->real;
    for (int i = 0; i < a->n_children && same; i++)
        same = asts_agree(g, inner, a->children[i], b->children[i]);
    return same;
}

bool expressions_agree(struct plan_text *t, const struct scop_loop *a_inner,
                       const struct ast *a, const struct scop_loop *b_inner, const struct ast *b)
{
    struct agreement g = {.t = t};
    return asts_agree(&g, (struct inner_pair){a_inner, b_inner}, a, b);
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* Are two forms one, over the axes, with iterators of loops that correspond for each other? */
static bool forms_agree(const struct agreement *g, const struct affine *a, const struct affine *b)
{
    struct affine first = *a, second = *b;
    bool good = form_unify(g->t, &first) && form_unify(g->t, &second);
    for (size_t i = 0; i < g->first.count && good; i++)
        good = iterator_replace(&second, g->second.at[i], g->first.at[i]);
    return good && affine_equal(&first, &second);
}

static bool limits_agree(const struct agreement *g, const struct scop_loop *a,
                         const struct scop_loop *b)
{
    bool same = a->step == b->step && a->n_limits == b->n_limits && !a->is_masked &&
                !b->is_masked && forms_agree(g, &a->start, &b->start) &&
                forms_agree(g, &a->phase, &b->phase);
    for (int i = 0; i < a->n_limits && same; i++)
        same = forms_agree(g, &a->limits[i], &b->limits[i]);
    return same;
}

static bool guards_agree(const struct agreement *g, const guard_list *a, const guard_list *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same = guard_equal(g->t, &a->at[i], &b->at[i]);
    return same;
}

static bool nodes_agree_below(struct agreement *g, const struct scop_node *a,
                              const struct scop_node *b);

static bool loop_nodes_agree(struct agreement *g, const struct scop_node *a,
                             const struct scop_node *b)
{
    struct fixed_loop first = fixed_loop_of(g->t, a), second = fixed_loop_of(g->t, b);
    if (first.is_fixed != second.is_fixed || !guards_agree(g, &first.guards, &second.guards) ||
        (!first.is_fixed && !limits_agree(g, a->loop, b->loop)))
        return false;
    vec_push(g->t->arena, &g->first, a->loop);
    vec_push(g->t->arena, &g->second, b->loop);
    return nodes_agree_below(g, a->children[0], b->children[0]);
}

/* The child from `at` on that the region has something of; n_children: none. */
static int child_from(const struct agreement *g, const struct scop_node *block, int at)
{
    while (at < block->n_children && !any_stmt(g->t, block->children[at]))
        at++;
    return at;
}

/* Without blocks around one node that the region has something of. */
static const struct scop_node *node_open(const struct agreement *g, const struct scop_node *node)
{
    while (node->kind == SCOP_BLOCK) {
        int first = child_from(g, node, 0);
        if (first == node->n_children || child_from(g, node, first + 1) < node->n_children)
            break;
        node = node->children[first];
    }
    return node;
}

static bool blocks_agree(struct agreement *g, const struct scop_node *a, const struct scop_node *b)
{
    int i = child_from(g, a, 0), k = child_from(g, b, 0);
    while (i < a->n_children && k < b->n_children &&
           nodes_agree_below(g, a->children[i], b->children[k])) {
        i = child_from(g, a, i + 1);
        k = child_from(g, b, k + 1);
    }
    return i == a->n_children && k == b->n_children;
}

static bool branches_agree(struct agreement *g, const struct scop_node *a,
                           const struct scop_node *b)
{
    for (int i = 0; i < 2; i++) {
        const struct scop_node *first = a->children[i], *second = b->children[i];
        bool has_first = any_stmt(g->t, first) != NULL;
        if (has_first != (any_stmt(g->t, second) != NULL) ||
            (has_first && !nodes_agree_below(g, first, second)))
            return false;
    }
    return asts_agree(g, (struct inner_pair){loop_around(a), loop_around(b)}, a->ast->children[0],
                      b->ast->children[0]);
}

static bool nodes_agree_below(struct agreement *g, const struct scop_node *a,
                              const struct scop_node *b)
{
    a = node_open(g, a);
    b = node_open(g, b);
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case SCOP_LEAF:
        return !a->is_copy && !b->is_copy &&
               asts_agree(g, (struct inner_pair){loop_around(a), loop_around(b)}, a->ast, b->ast);
    case SCOP_LOOP:
        return loop_nodes_agree(g, a, b);
    case SCOP_BLOCK:
        return blocks_agree(g, a, b);
    case SCOP_IF:
        return branches_agree(g, a, b);
    default:
        return false;
    }
}

bool nodes_agree(struct plan_text *t, const struct scop_node *a, const struct scop_node *b)
{
    struct agreement g = {.t = t};
    return nodes_agree_below(&g, a, b);
}
