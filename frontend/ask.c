/* Questions about the tree that the mapper and the lowering ask alike.

   In: nodes. Out: answers that speak of what the nodes say, and of nothing around them. */
#include "frontend/ask.h"
#include <string.h>

bool type_is_scalar(const struct ast_type *type)
{
    return type && ast_class_is_scalar(type->class);
}

bool is_ref_to(const struct ast *ast, const struct ast *decl)
{
    ast = ast ? ast_plain(ast) : NULL;
    return ast && ast->kind == AST_REF && ast->decl == decl;
}

const struct ast *ast_has_own_jump(const struct ast *body, enum ast_kind kind)
{
    const struct ast *found = NULL;
    if (!body || body->kind == kind)
        return body;
    if (body->kind == AST_FOR || body->kind == AST_WHILE || body->kind == AST_DO ||
        (body->kind == AST_SWITCH && kind == AST_BREAK))
        return NULL;
    for (int i = 0; i < body->n_children && !found; i++)
        found = ast_has_own_jump(body->children[i], kind);
    return found;
}

bool ast_holds(const struct ast *root, const struct ast *node)
{
    bool holds = root == node;
    int n = root && !holds ? root->n_children : 0;
    for (int i = 0; i < n && !holds; i++)
        holds = ast_holds(root->children[i], node);
    return holds;
}

bool ast_mentions(const struct ast *node, const struct ast *decl)
{
    if (!node)
        return false;
    if (node->kind == AST_REF && node->decl == decl)
        return true;
    for (int i = 0; i < node->n_children; i++)
        if (ast_mentions(node->children[i], decl))
            return true;
    return false;
}

bool ast_declares(const struct ast *node, const struct ast *decl)
{
    if (!node || node == decl)
        return node != NULL;
    for (int i = 0; i < node->n_children; i++)
        if (ast_declares(node->children[i], decl))
            return true;
    return false;
}

bool ast_has(const struct ast *node, enum ast_kind kind)
{
    if (!node)
        return false;
    if (node->kind == kind)
        return true;
    for (int i = 0; i < node->n_children; i++)
        if (ast_has(node->children[i], kind))
            return true;
    return false;
}

static const struct ast *pointer_ref(const struct ast *ast)
{
    ast = ast_strip(ast);
    bool is_pointer = ast->kind == AST_REF && ast->decl && ast->decl->type &&
                      ast->decl->type->class == AST_TYPE_POINTER;
    return is_pointer ? ast : NULL;
}

/* `0`, `(void *)0` */
static bool is_null(const struct ast *ast)
{
    ast = ast_strip(ast);
    while (ast->kind == AST_CAST && ast->n_children == 1)
        ast = ast_strip(ast->children[0]);
    return ast->kind == AST_INTEGER && ast->integer == 0;
}

const struct ast *ast_asks_null(const struct ast *node)
{
    if (node->kind == AST_UNARY && node->op == AST_OP_NOT)
        return pointer_ref(node->children[0]);
    if (node->kind != AST_BINARY || (node->op != AST_OP_EQ && node->op != AST_OP_NE))
        return NULL;
    const struct ast *first = pointer_ref(node->children[0]);
    const struct ast *second = pointer_ref(node->children[1]);
    bool one = (first && is_null(node->children[1])) || (second && is_null(node->children[0]));
    return !one ? NULL : first ? first : second;
}

const struct ast *ast_condition_pointer(const struct ast *node, int i)
{
    bool is_condition = (i == 0 && (node->kind == AST_CONDITIONAL || node->kind == AST_IF ||
                                    node->kind == AST_WHILE)) ||
                        (node->kind == AST_BINARY &&
                         (node->op == AST_OP_LAND || node->op == AST_OP_LOR));
    return is_condition ? pointer_ref(node->children[i]) : NULL;
}

bool ast_may_be_null(struct arena *arena, const struct ast *body, const struct ast *decl)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk)) {
        const struct ast *asked = ast_asks_null(n);
        if (asked && asked->decl == decl)
            return true;
        for (int i = 0; i < n->n_children && i < 2; i++) {
            const struct ast *bare = n->children[i] ? ast_condition_pointer(n, i) : NULL;
            if (bare && bare->decl == decl)
                return true;
        }
    }
    return false;
}

const struct ast *ast_base(const struct ast *node)
{
    while (node && node->n_children) {
        if (node->kind == AST_INDEX) {
            const struct ast_type *type = node->children[0]->type;
            bool swapped = type && ast_class_is_integer(type->class);
            node = node->children[swapped ? 1 : 0];
        } else if ((node->kind == AST_CAST && node->type &&
                    node->type->class == AST_TYPE_POINTER) ||
                   (node->kind == AST_UNARY &&
                    (node->op == AST_OP_DEREFERENCE || node->op == AST_OP_ADDRESS)))
            node = node->children[0];
        else if (node->kind == AST_BINARY && node->type &&
                 node->type->class == AST_TYPE_POINTER)
            node = node->children[ast_class_is_integer(node->children[0]->type->class)];
        else
            return NULL;
    }
    return node && node->kind == AST_REF ? node : NULL;
}

bool ast_is_plain_extent(const struct ast *extent)
{
    bool is_value = !extent || extent->kind == AST_INTEGER || extent->kind == AST_CHARACTER ||
                    extent->kind == AST_SIZEOF || extent->kind == AST_REAL ||
                    extent->kind == AST_REF;
    bool is_made = extent && (extent->kind == AST_BINARY || extent->kind == AST_CONDITIONAL ||
                              extent->kind == AST_CAST ||
                              (extent->kind == AST_UNARY && extent->op <= AST_OP_NOT));
    if (!is_made)
        return is_value;
    for (int i = 0; i < extent->n_children; i++)
        if (!ast_is_plain_extent(extent->children[i]))
            return false;
    return true;
}
