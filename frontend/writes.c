/* Who may write a variable.

   In: a variable, a node, the body of the function around. Out: the ways in which something at or
   below the node may change the variable. C reaches a variable by its name, by a pointer to it or,
   where it is of static storage, by its name in another function. A pointer to a local variable
   comes from an `&` in its function; of a pointer to one of static storage nothing is known but its
   type. So the answer "in no way" is safe. */
#include "frontend/writes.h"
#include "frontend/ask.h"
#include "frontend/calls.h"

const struct ast *change_target(const struct ast *node)
{
    bool changes = node->kind == AST_ASSIGN ||
                   (node->kind == AST_UNARY && node->op >= AST_OP_PRE_INCREMENT &&
                    node->op <= AST_OP_POST_DECREMENT);
    return changes ? node->children[0] : NULL;
}

const struct ast *change_base(const struct ast *node)
{
    const struct ast *target = change_target(node);
    return target ? ast_base(ast_strip(target)) : NULL;
}

/* The object that a member or an element is a part of; NULL if a pointer leads to it. */
static const struct ast *whole_of(const struct ast *part)
{
    const struct ast *const *child = part->children;
    bool is_index = part->kind == AST_INDEX;
    if ((!is_index && part->kind != AST_MEMBER) || !part->n_children || !child[0]->type)
        return NULL;
    const struct ast *whole = child[is_index && ast_class_is_integer(child[0]->type->class)];
    bool decays = is_index && whole->kind == AST_REF && whole->decl->kind == AST_PARAMETER;
    return decays || !whole->type || whole->type->class == AST_TYPE_POINTER ? NULL : whole;
}

/* The variable that the expression is, or is a part of: `x`, `x.m`, `x.a[i]`; NULL if a pointer
   leads to it, or if there is none. */
static const struct ast *variable_of(const struct ast *ast)
{
    for (const struct ast *whole = ast_strip(ast); whole; whole = whole_of(ast))
        ast = ast_strip(whole);
    return ast->kind == AST_REF ? ast->decl : NULL;
}

static bool is_array(const struct ast *variable)
{
    return variable->kind == AST_VARIABLE && variable->type &&
           variable->type->class == AST_TYPE_ARRAY;
}

/* The same, where an element of an array is no part of the array. */
static const struct ast *named_by(const struct ast *ast)
{
    const struct ast *variable = variable_of(ast);
    bool is_element = variable && ast_strip(ast)->kind != AST_REF && is_array(variable);
    return is_element ? NULL : variable;
}

const struct ast *ast_addressed(const struct ast *node)
{
    bool takes = node->kind == AST_UNARY && node->op == AST_OP_ADDRESS;
    return takes ? named_by(node->children[0]) : NULL;
}

const struct ast *ast_written(const struct ast *node)
{
    const struct ast *target = change_target(node);
    return target ? named_by(target) : ast_addressed(node);
}

bool ast_takes_address(const struct ast *node, const struct ast *variable)
{
    if (!node || ast_addressed(node) == variable)
        return node != NULL;
    for (int i = 0; i < node->n_children; i++)
        if (ast_takes_address(node->children[i], variable))
            return true;
    return false;
}

bool ast_keeps_extent(const struct ast *body, const struct ast *array, const struct ast *variable)
{
    bool is_before = array->kind == AST_VARIABLE && body->end <= array->begin;
    bool fills = is_before && body->kind == AST_CALL && !call_keeps_address(body);
    if (ast_written(body) == variable && (ast_addressed(body) || !is_before))
        return false;
    for (int i = 0; i < body->n_children; i++) {
        const struct ast *child = body->children[i];
        bool is_filled = fills && child && ast_addressed(ast_strip(child)) == variable;
        if (child && !is_filled && !ast_keeps_extent(child, array, variable))
            return false;
    }
    return true;
}

int ast_count_writes(const struct ast *node, const struct ast *variable)
{
    if (!node)
        return 0;
    int n = ast_written(node) == variable;
    for (int i = 0; i < node->n_children; i++)
        n += ast_count_writes(node->children[i], variable);
    return n;
}

bool ast_writes(const struct ast *node, const struct ast *variable)
{
    return ast_count_writes(node, variable) > 0;
}

/* --- what does not name the variable ---------------------------------------------------------- */

static bool is_simple(const struct ast_type *type)
{
    return type && (ast_class_is_scalar(type->class) || type->class == AST_TYPE_POINTER ||
                    type->class == AST_TYPE_LONG_DOUBLE || type->class == AST_TYPE_HALF ||
                    type->class == AST_TYPE_INT128);
}

bool types_may_meet(const struct ast_type *store, const struct ast_type *object)
{
    if (!is_simple(store) || !is_simple(object))
        return true;
    bool integers = ast_class_is_integer(store->class) && ast_class_is_integer(object->class);
    return store->class == object->class || store->class == AST_TYPE_I8 ||
           store->class == AST_TYPE_U8 || (integers && store->bytes == object->bytes);
}

/* May the assignment store to the variable although it does not name it? */
static bool may_store(const struct ast *target, const struct ast *variable)
{
    const struct ast *base = ast_base(ast_strip(target)), *decl = base ? base->decl : NULL;
    const struct ast_type *type = decl ? decl->type : NULL;
    bool own = type && type->class == AST_TYPE_ARRAY && decl->kind == AST_VARIABLE;
    return !variable_of(target) && !own && !(type && type->is_restrict) &&
           types_may_meet(target->type, variable->type);
}

static unsigned ways_of_node(const struct ast *node, const struct ast *variable, bool in_region)
{
    const struct ast *target = change_target(node);
    bool is_assembly = node->kind == AST_ASM || node->kind == AST_MS_ASM ||
                       node->kind == AST_OPAQUE;
    bool calls = node->kind == AST_CALL && !call_is_pure(node) && !call_is_mark(node);
    if (ast_written(node) == variable)
        return target ? WAY_NAME : WAY_ADDRESS;
    if (in_region)
        return 0;
    if (is_assembly || calls)
        return WAY_CALL;
    return target && may_store(target, variable) ? WAY_STORE : 0;
}

static unsigned ways_below(const struct ast *node, const struct ast *variable, bool in_region)
{
    if (!node)
        return 0;
    in_region |= node->kind == AST_SCHEDULE;
    unsigned ways = ways_of_node(node, variable, in_region);
    for (int i = 0; i < node->n_children; i++)
        ways |= ways_below(node->children[i], variable, in_region);
    return ways;
}

unsigned ast_ways(const struct ast *around, const struct ast *node, const struct ast *variable)
{
    const struct ast_type *type = variable->type;
    bool is_static = variable->is_global || variable->is_static || variable->is_extern;
    bool varies = variable->kind == AST_VARIABLE || variable->kind == AST_PARAMETER;
    if (!varies || is_array(variable) || (type && type->is_const && !type->is_volatile))
        return 0;
    if (type && type->is_volatile)
        return WAY_NAME | WAY_ADDRESS | WAY_CALL | WAY_STORE;
    unsigned ways = ways_below(node, variable, false), unseen = WAY_CALL | WAY_STORE;
    bool reaches = is_static || !(ways & unseen) || ast_takes_address(around, variable);
    return reaches ? ways : ways & ~unseen;
}

bool ast_may_write(const struct ast *around, const struct ast *node, const struct ast *variable)
{
    return ast_ways(around, node, variable) != 0;
}
