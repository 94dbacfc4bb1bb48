/* Values that are read behind statements.

   In: the body of a function, statements of one of its blocks. Out: whether a path leads from their
   end to a mention of a variable that no assignment stands before. */
#include "frontend/ask.h"
#include "frontend/behind.h"

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

static bool is_around(const struct ast *ast, const struct ast *first, const struct ast *last)
{
    return ast && !ast_is_expression(ast) && ast->begin <= first->begin && ast->end >= last->end;
}

/* The use of the variable behind the statements, inside the node around them. */
static enum use use_behind(const struct ast *around, const struct ast *first,
                           const struct ast *last, const struct ast *decl)
{
    enum use use = USE_NONE;
    int at = 0;
    while (at < around->n_children && !is_around(around->children[at], first, last))
        at++;
    if (first == last && around->begin == first->begin && around->end == first->end)
        return USE_NONE;
    if (at < around->n_children)
        use = use_behind(around->children[at], first, last, decl);
    if (use != USE_NONE)
        return use;
    if (around->kind == AST_COMPOUND) {
        int next = 0;
        while (next < around->n_children && around->children[next]->begin < last->end)
            next++;
        return list_use(around, next, decl);
    }
    bool loop = around->kind == AST_FOR || around->kind == AST_WHILE || around->kind == AST_DO;
    return loop ? round_use(around, decl) : USE_NONE;
}

bool ast_is_read_behind(const struct ast *body, const struct ast *first, const struct ast *last,
                        const struct ast *decl)
{
    return use_behind(body, first, last, decl) == USE_READ;
}
