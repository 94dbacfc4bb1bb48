/* Loops whose condition is a `break` at their beginning: `for (;;) { if (i == n) break; … }`.

   In: the body of a function. Out: the condition in the loop's header, `while (i != n) { … }`, for
   a loop without one, or with a literal that holds, and without the `if`. */
#include "base/vec.h"
#include "frontend/header.h"
#include "mapper/forms/forms.h"

/* Does the loop run until something in it ends it? */
static bool is_endless(const struct ast *loop)
{
    const struct ast *condition = loop->children[loop->kind == AST_FOR ? 1 : 0];
    return !condition || (ast_strip(condition)->kind == AST_INTEGER &&
                          ast_strip(condition)->integer && !condition->is_macro);
}

static bool is_break(const struct ast *statement)
{
    while (statement && statement->kind == AST_COMPOUND && statement->n_children == 1)
        statement = statement->children[0];
    return statement && statement->kind == AST_BREAK && !statement->is_macro;
}

/* The `if (…) break;` that a loop's body begins with; NULL: there is none. */
static const struct ast *first_break(const struct ast *body)
{
    const struct ast *first = body->kind == AST_COMPOUND && body->n_children ? body->children[0]
                                                                            : NULL;
    bool breaks = first && first->kind == AST_IF && !first->is_macro &&
                  is_break(first->children[1]);
    return breaks && (first->n_children < 3 || !first->children[2]) &&
           ast_strip(first->children[0])->kind == AST_BINARY ? first : NULL;
}

/* The condition under which the comparison does not hold, as all numbers compare. */
static const struct ast *opposite(struct arena *arena, const struct ast *comparison)
{
    static const enum ast_op ops[][2] = {{AST_OP_LT, AST_OP_GE}, {AST_OP_LE, AST_OP_GT},
                                         {AST_OP_EQ, AST_OP_NE}};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        for (int side = 0; side < 2; side++)
            if (comparison->op == ops[i][side])
                return form_binary(arena, ops[i][1 - side], comparison->type, comparison,
                                   comparison->children[0], comparison->children[1]);
    return NULL;
}

static bool compares_integers(const struct ast *comparison)
{
    const struct ast_type *type = comparison->children[0]->type;
    return type && (ast_class_is_integer(type->class) || type->class == AST_TYPE_POINTER);
}

static void loop_change(struct arena *arena, const struct ast *loop)
{
    bool is_for = loop->kind == AST_FOR;
    const struct ast *body = loop->children[is_for ? 3 : 1];
    const struct ast *choice = body ? first_break(body) : NULL;
    if (!choice || loop->is_macro || loop->is_meta || !is_endless(loop))
        return;
    const struct ast *comparison = ast_strip(choice->children[0]);
    const struct ast *condition = compares_integers(comparison) ? opposite(arena, comparison)
                                                                : NULL;
    if (!condition)
        return;
    const struct ast **children = ARENA_ARRAY(arena, const struct ast *, loop->n_children);
    for (int i = 0; i < loop->n_children; i++)
        children[i] = loop->children[i];
    children[is_for ? 1 : 0] = condition;
    form_change(loop)->children = children;
    form_change(loop)->is_made = true;
    form_remove(choice);
    form_change(choice)->integer = 0;
}

void breaks_fold(struct arena *arena, const struct ast *body)
{
    for (int i = 0; i < body->n_children; i++) {
        const struct ast *child = body->children[i];
        if (!child || ast_is_expression(child))
            continue;
        breaks_fold(arena, child);
        if (child->kind == AST_FOR || child->kind == AST_WHILE)
            loop_change(arena, child);
    }
}
