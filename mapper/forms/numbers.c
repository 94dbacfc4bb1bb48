/* Integers that loops move, in numbers that do not wrap.

   In: expressions of the source. Out: whether their values are the same in 64 bits, and nodes of 64
   bits in their places. A signed integer that overflows has no meaning in C, so the value that the
   loop computes step by step is the sum of the steps. Unsigned integers, values that are converted
   to narrower types and types below `int` may wrap and are left as they are. A sum stands by itself
   where it is a part of a subscript of sums and products; elsewhere its type might choose another
   arithmetic (`k - 5u`), and it is converted to the variable's. */
#include "mapper/forms/numbers.h"
#include "frontend/ask.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"

bool number_is_signed(const struct ast_type *type)
{
    return type && (type->class == AST_TYPE_I32 || type->class == AST_TYPE_I64);
}

bool number_of(const struct ast *ast, int64_t *value)
{
    if (ast->kind == AST_CAST && ast->is_implicit)
        return number_of(ast->children[0], value);
    if (ast->kind == AST_UNARY && ast->op == AST_OP_MINUS && number_of(ast->children[0], value)) {
        *value = -*value;
        return *value != INT64_MIN;
    }
    if (ast->kind == AST_INTEGER)
        *value = ast->integer;
    return ast->kind == AST_INTEGER && number_is_signed(ast->type);
}

bool number_is_exact(struct arena *arena, const struct ast *ast, const struct ast_type *type)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, ast); n; n = ast_next(&walk))
        if (!n->type || !number_is_signed(n->type) || n->type->bytes > type->bytes)
            return false;
    return true;
}

bool number_is_measured(struct arena *arena, const struct ast *ast, const struct ast *decl)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, ast); n; n = ast_next(&walk)) {
        bool asks = n->kind == AST_SIZEOF || n->kind == AST_STATEMENT_EXPR || n == decl;
        if (asks && (n == decl || ast_mentions(n, decl)))
            return true;
    }
    return false;
}

/* --- assignments ------------------------------------------------------------------------------ */

/* The block that holds a statement as its child number `at`. */
static const struct ast *block_of(const struct ast *root, const struct ast *statement, int *at)
{
    const struct ast *block = NULL;
    for (int i = 0; i < root->n_children && !block; i++) {
        *at = i;
        if (root->children[i] == statement)
            return root->kind == AST_COMPOUND ? root : NULL;
        if (root->children[i] && !ast_is_expression(root->children[i]))
            block = block_of(root->children[i], statement, at);
    }
    return block;
}

/* The value with which a variable is declared ahead of child number `at` of a block. NULL if a
   child from there to this one writes the variable or DECL. */
static const struct ast *declared_as(const struct ast *block, int at, const struct ast *variable,
                                     const struct ast *decl)
{
    for (int i = at - 1; i >= 0; i--) {
        const struct ast *child = block->children[i];
        if (child->kind == AST_DECLARE && child->n_children == 1 && child->children[0] == variable)
            return variable->n_children == 1 ? variable->children[0] : NULL;
        if (ast_writes(child, variable) || ast_writes(child, decl))
            return NULL;
    }
    return NULL;
}

/* Is an expression the variable DECL with a literal, `value`, added? */
static bool adds(const struct ast *block, int at, const struct ast *ast, const struct ast *decl,
                 int64_t *value)
{
    int64_t more;
    bool is_sum = ast->kind == AST_BINARY && (ast->op == AST_OP_ADD || ast->op == AST_OP_SUB);
    *value = 0;
    if ((ast->is_macro && ast->kind == AST_REF) || ast->is_part || !ast->type ||
        ast->type->class != decl->type->class)
        return false;
    if (ast->kind == AST_REF && ast->decl != decl) {
        const struct ast *init = declared_as(block, at, ast->decl, decl);
        return init && number_is_signed(ast->decl->type) && adds(block, at, init, decl, value);
    }
    if (ast->kind == AST_REF || !is_sum)
        return ast->kind == AST_REF;
    bool swaps = ast->op == AST_OP_ADD && number_of(ast->children[0], &more);
    if (!swaps && !number_of(ast->children[1], &more))
        return false;
    if (!adds(block, at, ast->children[swaps], decl, value))
        return false;
    return !(ast->op == AST_OP_ADD ? __builtin_add_overflow(*value, more, value)
                                   : __builtin_sub_overflow(*value, more, value));
}

bool number_added(const struct ast *body, const struct ast *assign, const struct ast *decl,
                  int64_t *value)
{
    int at = 0;
    const struct ast *block = block_of(body, assign, &at);
    return block && adds(block, at, assign->children[1], decl, value);
}

/* --- places ----------------------------------------------------------------------------------- */

/* Is the node a part of the subscript, which is made of sums and products of signed integers? */
static bool is_summand(const struct ast *subscript, const struct ast *node)
{
    bool sums = subscript->kind == AST_BINARY &&
                (subscript->op == AST_OP_ADD || subscript->op == AST_OP_SUB ||
                 subscript->op == AST_OP_MUL);
    bool casts = subscript->kind == AST_CAST && subscript->is_implicit;
    if (subscript == node || !number_is_signed(subscript->type) || !(sums || casts))
        return subscript == node;
    for (int i = 0; i < subscript->n_children; i++)
        if (is_summand(subscript->children[i], node))
            return true;
    return false;
}

/* The expression at the place of another one. */
static const struct ast *at_place(struct arena *arena, const struct ast *ast,
                                  const struct ast *place)
{
    struct ast *node = form_change(form_copy(arena, ast));
    node->loc = place->loc;
    node->begin = place->begin;
    node->end = place->end;
    node->is_part = place->is_part;
    node->is_macro = node->is_macro_end = false;
    node->is_made = true;
    return node;
}

const struct ast *number_place(struct arena *arena, const struct ast *body,
                               const struct ast *node, const struct ast *sum,
                               const struct ast_type *type)
{
    struct ast_walk walk;
    if (sum->type->class == type->class)
        return at_place(arena, sum, node);
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (n->kind == AST_INDEX && is_summand(n->children[1], node))
            return at_place(arena, sum, node);
    return form_make(arena, AST_CAST, node, type, 1, &sum);
}

/* --- loops ------------------------------------------------------------------------------------ */

int number_counts(struct arena *arena, const struct ast *body, const struct ast *loop,
                  const struct ast *iterator)
{
    const struct ast *inner = loop->children[3];
    int64_t step = header_step(header_own(loop, 2), iterator);
    bool counts = !loop->is_macro && (step == 1 || step == -1) &&
                  ast_class_is_integer(iterator->type->class) && iterator->type->bytes >= 4 &&
                  !iterator->type->is_volatile && !iterator->is_global && !iterator->is_static &&
                  !ast_takes_address(body, iterator) && !ast_writes(inner, iterator) &&
                  !form_hides(arena, iterator, inner) && !ast_has_own_jump(inner, AST_BREAK) &&
                  !ast_has_own_jump(inner, AST_CONTINUE);
    return counts ? (int)step : 0;
}

const struct ast *number_behind(struct arena *arena, const struct ast *loop,
                                const struct ast *start, const struct ast *end,
                                const struct ast *moved, const struct ast *value)
{
    const struct ast *runs = form_binary(arena, AST_OP_LT, end->type, loop,
                                         form_copy(arena, start), form_copy(arena, end));
    const struct ast *parts[] = {runs, moved, form_copy(arena, value)};
    return form_make(arena, AST_CONDITIONAL, loop, moved->type, 3, parts);
}
