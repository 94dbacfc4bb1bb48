/* Which pointers of a function may point to the same array in the course of a call.

   In: the function's body. Out: pairs of names, one for each time that a pointer is set: the
   pointer, and each array or pointer that its value is made of. A pointer whose address is taken
   may be set by whoever has that address, to whatever he has: such pointers are pairs among
   themselves. The pairs follow the names alone, since a name too many costs no more than room. */
#include "metafork/lower.h"

typedef VEC(struct aliasing) aliasing_list;

static bool points(const struct ast *node)
{
    return node->type && (node->type->class == AST_TYPE_POINTER ||
                          node->type->class == AST_TYPE_ARRAY);
}

/* u of u, u[i], &u[i][j] */
static const struct ast *base_of(const struct ast *node)
{
    node = ast_strip(node);
    while (node && (node->kind == AST_INDEX || node->kind == AST_CAST ||
                    (node->kind == AST_UNARY && node->op == AST_OP_ADDRESS)))
        node = ast_strip(node->children[0]);
    return node && node->kind == AST_REF && points(node) ? node->decl : NULL;
}

/* Is the value a name, `&a[0]`, or a choice of such values? */
static bool is_first_element(const struct ast *value)
{
    value = ast_strip(value);
    if (value->kind == AST_UNARY && value->op == AST_OP_ADDRESS)
        value = ast_strip(value->children[0]);
    if (value->kind == AST_INDEX) {
        const struct ast *subscript = ast_strip(value->children[1]);
        return subscript->kind == AST_INTEGER && subscript->integer == 0 &&
               is_first_element(value->children[0]);
    }
    if (value->kind == AST_CONDITIONAL)
        return is_first_element(value->children[1]) && is_first_element(value->children[2]);
    return value->kind == AST_REF || value->kind == AST_INTEGER ||
           (value->kind == AST_CAST && is_first_element(value->children[0]));
}

/* The pointer, and all that its value may be made of: operands of sums, both values of ?:. */
static void value_pair(struct arena *arena, aliasing_list *list, const char *pointer,
                       const struct ast *value)
{
    struct ast_walk walk;
    for (const struct ast *node = ast_first(&walk, arena, value); node; node = ast_next(&walk)) {
        const struct ast *base = base_of(node);
        struct aliasing pair = {pointer, base ? base->name : NULL, !is_first_element(value)};
        if (base && points(node))
            vec_push(arena, list, pair);
        if (base || node->kind == AST_CALL || node->kind == AST_INDEX)
            ast_skip(&walk);
    }
}

/* &p of a pointer p. */
static const struct ast *pointer_given_away(const struct ast *node)
{
    bool is_address = node->kind == AST_UNARY && node->op == AST_OP_ADDRESS;
    const struct ast *target = is_address ? ast_strip(node->children[0]) : NULL;
    bool is_named = target && target->kind == AST_REF && target->decl;
    return is_named && target->type->class == AST_TYPE_POINTER ? target->decl : NULL;
}

void aliasings_find(struct arena *arena, const struct ast *body, struct function *function)
{
    struct ast_walk walk;
    aliasing_list list = {0};
    const struct ast *first = NULL;
    for (const struct ast *node = ast_first(&walk, arena, body); node; node = ast_next(&walk)) {
        const struct ast *given = pointer_given_away(node);
        if (node->kind == AST_ASSIGN && points(node->children[0]) &&
            base_of(node->children[0]))
            value_pair(arena, &list, base_of(node->children[0])->name, node->children[1]);
        if (node->kind == AST_VARIABLE && points(node) && node->n_children)
            value_pair(arena, &list, node->name, node->children[0]);
        if (given && first) {
            struct aliasing pair = {first->name, given->name, false};
            vec_push(arena, &list, pair);
        }
        first = first ? first : given;
    }
    function->n_aliasings = list.count;
    function->aliasings = list.at;
}
