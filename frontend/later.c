/* Reads of a variable's value behind some statements.

   In: a function's body, statements of it and a variable. Out: whether a path leads from their end to
   a mention of the variable that no assignment stands before. Each way through the function's
   nesting counts as a path. */
#include "frontend/later.h"
#include "frontend/ask.h"
#include "frontend/writes.h"

enum use { USE_NONE, USE_SET, USE_READ };

static enum use first_use(const struct ast *ast, const struct ast *decl);

/* The first use in a list of statements, from `at` on. Behind a statement that may leave the list
   by a jump nothing is sure to be set. */
static enum use list_use(const struct ast *block, int at, const struct ast *decl)
{
    enum use use = USE_NONE;
    bool leaves = false;
    for (int i = at; i < block->n_children && use == USE_NONE; i++) {
        const struct ast *child = block->children[i];
        use = first_use(child, decl);
        leaves |= ast_has_own_jump(child, AST_BREAK) || ast_has_own_jump(child, AST_CONTINUE);
    }
    return leaves && use == USE_SET ? USE_NONE : use;
}

static enum use if_use(const struct ast *ast, const struct ast *decl)
{
    enum use then = first_use(ast->children[1], decl), otherwise = USE_NONE;
    if (ast->n_children > 2 && ast->children[2])
        otherwise = first_use(ast->children[2], decl);
    if (ast_mentions(ast->children[0], decl) || then == USE_READ || otherwise == USE_READ)
        return USE_READ;
    return then == USE_SET && otherwise == USE_SET ? USE_SET : USE_NONE;
}

/* The first use in any part of a loop but the first one of a `for`. */
static enum use round_use(const struct ast *loop, const struct ast *decl)
{
    enum use use = USE_NONE;
    for (int i = loop->kind == AST_FOR; i < loop->n_children; i++)
        if (first_use(loop->children[i], decl) == USE_READ)
            use = USE_READ;
    return use;
}

/* A declaration of the variable itself ends the search: nobody reads the earlier value. */
static enum use declare_use(const struct ast *declare, const struct ast *decl)
{
    bool declares = false;
    for (int i = 0; i < declare->n_children; i++)
        declares |= declare->children[i] == decl;
    return ast_mentions(declare, decl) ? USE_READ : declares ? USE_SET : USE_NONE;
}

static enum use first_use(const struct ast *ast, const struct ast *decl)
{
    if (!ast)
        return USE_NONE;
    switch (ast->kind) {
    case AST_COMPOUND:
        return list_use(ast, 0, decl);
    case AST_IF:
        return if_use(ast, decl);
    case AST_FOR: {
        enum use start = first_use(ast->children[0], decl);
        return start != USE_NONE ? start : round_use(ast, decl);
    }
    case AST_WHILE:
    case AST_DO:
        return round_use(ast, decl);
    case AST_BINARY: {
        enum use left = ast->op == AST_OP_COMMA ? first_use(ast->children[0], decl) : USE_NONE;
        return left != USE_NONE           ? left
               : ast->op == AST_OP_COMMA  ? first_use(ast->children[1], decl)
               : ast_mentions(ast, decl) ? USE_READ
                                          : USE_NONE;
    }
    case AST_DECLARE:
        return declare_use(ast, decl);
    case AST_RETURN:
        return ast_mentions(ast, decl) ? USE_READ : USE_SET;
    case AST_ASSIGN: {
        bool sets = ast->op == AST_OP_NONE && ast->children[0]->kind == AST_REF &&
                    ast->children[0]->decl == decl;
        if (sets)
            return ast_mentions(ast->children[1], decl) ? USE_READ : USE_SET;
        return ast_mentions(ast, decl) ? USE_READ : USE_NONE;
    }
    default:
        return ast_mentions(ast, decl) ? USE_READ : USE_NONE;
    }
}

static bool is_around(const struct ast *ast, const struct ast_span *span)
{
    return ast && !ast_is_expression(ast) && ast->begin <= span->begin && ast->end >= span->end;
}

/* The use of the variable behind the statements, inside a node around them. */
static enum use use_behind(const struct ast *around, const struct ast_span *span,
                           const struct ast *decl)
{
    enum use use = USE_NONE;
    int at = 0;
    while (at < around->n_children && !is_around(around->children[at], span))
        at++;
    if (around->begin == span->begin && around->end == span->end)
        return USE_NONE;
    if (at < around->n_children)
        use = use_behind(around->children[at], span, decl);
    if (use != USE_NONE)
        return use;
    if (around->kind == AST_COMPOUND) {
        int next = 0;
        while (next < around->n_children && around->children[next]->begin < span->end)
            next++;
        return list_use(around, next, decl);
    }
    bool loop = around->kind == AST_FOR || around->kind == AST_WHILE || around->kind == AST_DO;
    return loop ? round_use(around, decl) : USE_NONE;
}

/* Are there ways through the function that its nesting does not show, or to the variable? */
static bool is_hidden(struct arena *arena, const struct ast *body, const struct ast *decl)
{
    struct ast_walk walk;
    if (ast_takes_address(body, decl))
        return true;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (n->kind == AST_GOTO || n->kind == AST_LABEL || n->kind == AST_SWITCH ||
            n->kind == AST_INDIRECT_GOTO || n->kind == AST_STATEMENT_EXPR)
            return true;
    return false;
}

bool value_is_read_next(const struct ast_span *span, const struct ast *decl)
{
    return use_behind(span->body, span, decl) == USE_READ;
}

bool value_is_read_behind(struct arena *arena, const struct ast_span *span,
                          const struct ast *decl)
{
    return is_hidden(arena, span->body, decl) || value_is_read_next(span, decl);
}
