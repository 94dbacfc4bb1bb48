/* Integers whose value is made in several statements: `int x = i * m; x += 1;`.

   In: the body of a function. Out: `int x = i * m + 1;` in blocks of loops, where a statement
   behind the one that sets the variable adds to it, subtracts from it or multiplies it, those
   between do not name it, and all values have the variable's type. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"

struct updates {
    struct arena *arena;
    struct ast_unit *unit;
    const struct ast *body;          /* of the function */
};

static bool can_update(const struct updates *u, const struct ast *decl)
{
    enum ast_class class = decl->type ? decl->type->class : AST_TYPE_VOID;
    return decl->kind == AST_VARIABLE && !decl->is_global && !decl->is_static && !decl->is_macro &&
           (class == AST_TYPE_I32 || class == AST_TYPE_I64) && !decl->type->is_volatile &&
           !ast_takes_address(u->body, decl);
}

/* Is it a value of the variable's type that another statement can compute as well? */
static bool gives_value(const struct updates *u, const struct ast *value, const struct ast *decl)
{
    struct ast_walk walk;
    if (!value->type || value->type->class != decl->type->class || ast_mentions(value, decl))
        return false;
    for (const struct ast *n = ast_first(&walk, u->arena, value); n; n = ast_next(&walk))
        if (change_target(n) || n->kind == AST_CALL || n->is_part)
            return false;
    return true;
}

/* The variable to which a statement gives its first value, or a new one; NULL of others. */
static const struct ast *set_by(const struct updates *u, const struct ast *statement)
{
    const struct ast *decl = NULL, *value = NULL;
    if (!form_has_texts(statement))
        return NULL;
    if (statement->kind == AST_DECLARE && statement->n_children == 1) {
        decl = statement->children[0];
        value = decl->kind == AST_VARIABLE && decl->n_children ? decl->children[0] : NULL;
    } else if (statement->kind == AST_ASSIGN && statement->op == AST_OP_NONE) {
        decl = statement->children[0]->kind == AST_REF ? statement->children[0]->decl : NULL;
        value = statement->children[1];
    }
    return decl && value && can_update(u, decl) && gives_value(u, value, decl) ? decl : NULL;
}

/* The amount that a statement adds to the variable, or as `op` says; NULL of other statements. */
static const struct ast *amount_of(const struct updates *u, const struct ast *statement,
                                   const struct ast *decl, enum ast_op *op)
{
    const struct ast *target = change_target(statement), *amount = NULL;
    if (!target || !is_ref_to(target, decl) || !form_has_texts(statement))
        return NULL;
    if (statement->kind == AST_UNARY) {
        bool up = statement->op == AST_OP_POST_INCREMENT || statement->op == AST_OP_PRE_INCREMENT;
        *op = up ? AST_OP_ADD : AST_OP_SUB;
        return form_literal(u->arena, statement, decl->type, 1);
    }
    *op = statement->op;
    amount = statement->children[1];
    if (*op == AST_OP_NONE && amount->kind == AST_BINARY && is_ref_to(amount->children[0], decl)) {
        *op = amount->op;
        amount = amount->children[1];
    }
    bool known = *op == AST_OP_ADD || *op == AST_OP_SUB || *op == AST_OP_MUL;
    return known && gives_value(u, amount, decl) ? amount : NULL;
}

static void value_change(const struct updates *u, const struct ast *statement, enum ast_op op,
                         const struct ast *amount)
{
    bool declares = statement->kind == AST_DECLARE;
    const struct ast *owner = declares ? statement->children[0] : statement;
    const struct ast **children = ARENA_ARRAY(u->arena, const struct ast *, 2);
    const struct ast *value = owner->children[declares ? 0 : 1];
    bool is_zero = value->kind == AST_INTEGER && !value->integer && op == AST_OP_ADD;
    children[0] = owner->children[0];
    children[declares ? 0 : 1] =
        is_zero ? amount : form_binary(u->arena, op, value->type, value, value, amount);
    form_change(owner)->children = children;
    form_change(statement)->is_made = true;
}

/* The statements are mapped together, or none of them is. */
static void together_add(const struct updates *u, const struct ast *decl, const struct ast *first,
                         const struct ast *last)
{
    struct ast_moved *moved = ARENA_NEW(u->arena, struct ast_moved);
    struct ast *both = form_make(u->arena, AST_EMPTY, first, NULL, 0, NULL);
    both->end = last->end;
    *moved = (struct ast_moved){MOVING_VALUE, decl, both, NULL, u->unit->moved};
    u->unit->moved = moved;
}

static bool is_evaluation(const struct ast *statement)
{
    return ast_is_expression(statement) || statement->kind == AST_DECLARE ||
           statement->kind == AST_EMPTY;
}

/* Does a statement leave alone what an amount is made of, which are the function's own scalars? */
static bool lets_pass(const struct updates *u, const struct ast *statement,
                      const struct ast *amount)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, u->arena, amount); n; n = ast_next(&walk))
        if (n->kind == AST_INDEX || n->kind == AST_MEMBER ||
            (n->kind == AST_REF && (!n->decl->owner || n->decl->type->is_volatile ||
                                    ast_takes_address(u->body, n->decl) ||
                                    ast_mentions(statement, n->decl))))
            return false;
    return true;
}

/* Makes the value that `set`, the statement of a number, gives to a variable of what further
   statements do to it. */
static void value_gather(const struct updates *u, const struct ast *block, int number,
                         const struct ast *decl)
{
    const struct ast *set = block->children[number];
    for (int i = number + 1; i < block->n_children; i++) {
        const struct ast *statement = block->children[i];
        enum ast_op op;
        const struct ast *amount = amount_of(u, statement, decl, &op);
        bool passes = amount != NULL;
        for (int k = number + 1; k < i && passes; k++)
            passes = lets_pass(u, block->children[k], amount);
        if (passes) {
            value_change(u, set, op, amount);
            together_add(u, decl, set, statement);
            form_remove(statement);
            form_change(statement)->integer = 0;
        } else if (ast_mentions(statement, decl) || !is_evaluation(statement)) {
            return;
        }
    }
}

static void block_fold(const struct updates *u, const struct ast *block)
{
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *decl = set_by(u, block->children[i]);
        if (decl)
            value_gather(u, block, i, decl);
    }
}

static void updates_find(const struct updates *u, const struct ast *ast, bool in_loop)
{
    if (ast->kind == AST_COMPOUND && in_loop)
        block_fold(u, ast);
    for (int i = 0; i < ast->n_children; i++)
        if (ast->children[i] && !ast_is_expression(ast->children[i]))
            updates_find(u, ast->children[i], in_loop || ast_is_loop(ast));
}

void updates_fold(struct arena *arena, struct ast_unit *unit, const struct ast *body)
{
    struct updates u = {arena, unit, body};
    updates_find(&u, body, false);
}
