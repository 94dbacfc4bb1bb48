/* Questions about the tree that the mapper and the lowering ask alike.

   In: nodes. Out: answers that speak of what the nodes say, and of nothing around them. */
#include "frontend/ask.h"
#include "frontend/text.h"
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

const struct ast *change_target(const struct ast *n)
{
    bool changes = n->kind == AST_ASSIGN ||
                   (n->kind == AST_UNARY && n->op >= AST_OP_PRE_INCREMENT &&
                    n->op <= AST_OP_POST_DECREMENT);
    return changes ? n->children[0] : NULL;
}

const struct ast *ast_written(const struct ast *node)
{
    bool is_address = node->kind == AST_UNARY && node->op == AST_OP_ADDRESS;
    const struct ast *target = is_address ? node->children[0] : change_target(node);
    target = target ? ast_strip(target) : NULL;
    return target && target->kind == AST_REF ? target->decl : NULL;
}

bool ast_writes(const struct ast *node, const struct ast *decl)
{
    if (!node)
        return false;
    if (ast_written(node) == decl)
        return true;
    for (int i = 0; i < node->n_children; i++)
        if (ast_writes(node->children[i], decl))
            return true;
    return false;
}

const struct ast *ast_has_own_jump(const struct ast *body, enum ast_kind kind)
{
    const struct ast *found = NULL;
    if (!body || body->kind == kind)
        return body;
    if (body->kind == AST_FOR || body->kind == AST_WHILE || body->kind == AST_DO ||
        body->kind == AST_SWITCH)
        return NULL;
    for (int i = 0; i < body->n_children && !found; i++)
        found = ast_has_own_jump(body->children[i], kind);
    return found;
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

bool has_loop(struct arena *arena, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, ast); n; n = ast_next(&walk))
        if (n->kind == AST_FOR)
            return true;
    return false;
}

size_t statement_end(const struct ast_unit *unit, const struct ast *statement)
{
    const char *text = unit->source->text;
    size_t end = statement->end, next = end + strspn(text + end, " \t\n");
    return ast_needs_semicolon(statement) && text[next] == ';' ? next + 1 : end;
}
