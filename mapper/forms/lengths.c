/* Elements that bound loops: `for (i = 0; i < dims[0]; i++)` with `int dims[3]`; `*n`.

   In: the body of a function. Out: such an element, at subscripts that are numbers, is a variable
   of its own, `dims_0`, which the mapped text declares before a fragment that uses it, wherever
   loops name the element. Subscripts, and the values of the function's integers, may name
   `*n` of a parameter `int *n`, which is such an element, too. Nothing in the function writes
   it: no assignment to the array, no address of it, no element of an array that C lets be the same,
   and no call in those loops. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/calls.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"
#include <inttypes.h>
#include <string.h>

struct lengths {
    struct arena *arena;
    const struct ast *function, *body;
    struct word_list *words;
    VEC(const struct ast *) variables;   /* each with the element as its value */
};

static bool is_dereference(const struct ast *ast)
{
    return ast->kind == AST_UNARY && ast->op == AST_OP_DEREFERENCE;
}

/* The array of an element at numbers; NULL of others. */
static const struct ast *array_of(const struct ast *element)
{
    bool is_first = is_dereference(element);
    if ((element->kind != AST_INDEX && !is_first) || !element->type ||
        !type_is_scalar(element->type) || !ast_class_is_integer(element->type->class))
        return NULL;
    if (is_first)
        element = ast_strip(element->children[0]);
    while (element->kind == AST_INDEX && !is_first) {
        const struct ast *at = ast_strip(element->children[1]);
        if (at->kind != AST_INTEGER || at->integer < 0)
            return NULL;
        element = ast_strip(element->children[0]);
    }
    bool named = element->kind == AST_REF && element->decl && !element->decl->is_made &&
                 (element->decl->kind == AST_VARIABLE || element->decl->kind == AST_PARAMETER);
    return named && !element->decl->type->is_volatile ? element->decl : NULL;
}

/* Does a node of the function change the element of the array, or may it? `is_inner`: the node
   stands for the array in an element. */
static bool may_change(const struct ast *n, const struct ast *element, const struct ast *array,
                       bool is_inner)
{
    const struct ast *target = change_target(n), *base = target ? ast_base(target) : NULL;
    if (n->kind == AST_REF)
        return n->decl == array && !is_inner;
    if (n->kind == AST_UNARY && n->op == AST_OP_ADDRESS)
        return !ast_base(n) || ast_base(n)->decl == array;
    if (!target || target->kind == AST_REF)
        return target && target->decl == array;
    bool own = base && (base->decl->type->is_restrict ||
                        (base->decl->type->class == AST_TYPE_ARRAY &&
                         base->decl->kind == AST_VARIABLE));
    return (base && base->decl == array) ||
           (!own && types_may_meet(target->type, element->type));
}

/* Does the node, or a node below, change the element? Calls are judged by loops (calls_others). */
static bool any_changes(const struct ast *ast, const struct ast *element, const struct ast *array,
                        bool is_inner)
{
    bool changes = may_change(ast, element, array, is_inner);
    for (int i = 0; i < ast->n_children && !changes; i++)
        changes = ast->children[i] &&
                  any_changes(ast->children[i], element, array,
                              i == 0 && (ast->kind == AST_INDEX || is_dereference(ast) ||
                                         (is_inner && ast->kind == AST_CAST)));
    return changes;
}

static bool element_stays(const struct lengths *l, const struct ast *element,
                          const struct ast *array)
{
    return (!array->owner || !form_is_in_loop(l->arena, array, l->body)) &&
           !any_changes(l->body, element, array, false);
}

/* Does the loop call what might change any element? Fragments begin and end between such calls. */
static bool calls_others(const struct lengths *l, const struct ast *loop)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, loop); n; n = ast_next(&walk))
        if (n->kind == AST_CALL && !call_is_pure(n))
            return true;
    return false;
}

static const struct ast *length_variable(const struct lengths *l, const struct ast *element)
{
    for (size_t i = 0; i < l->variables.count; i++)
        if (ast_equal(l->variables.at[i]->children[0], element))
            return l->variables.at[i];
    return NULL;
}

/* "dims_1_0" of `dims[1][0]` */
static const char *element_name(const struct lengths *l, const struct ast *element)
{
    if (is_dereference(element))
        return arena_printf(l->arena, "%s_0", ast_strip(element->children[0])->decl->name);
    if (element->kind != AST_INDEX)
        return element->decl->name;
    return arena_printf(l->arena, "%s_%" PRId64,
                        element_name(l, ast_strip(element->children[0])),
                        ast_strip(element->children[1])->integer);
}

static void length_variable_add(struct lengths *l, const struct ast *element,
                                const struct ast *array)
{
    const struct ast *value = form_copy(l->arena, element);
    const char *name = words_variable(l->words, element_name(l, element));
    struct ast *variable = form_variable(l->arena, l->function, name, element->type, value);
    variable->integer = array->kind == AST_PARAMETER || array->type->class == AST_TYPE_POINTER;
    vec_push(l->arena, &l->variables, variable);
}

/* Makes a variable for each element in the header of a loop, or in another expression for those
   alone to which parameters lead. */
static void elements_look(struct lengths *l, const struct ast *root, bool is_header)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, root); n; n = ast_next(&walk)) {
        const struct ast *array = array_of(n);
        bool asked = array && (is_header || (is_dereference(n) && array->kind == AST_PARAMETER));
        if (asked && !n->is_part && !length_variable(l, n) && element_stays(l, n, array))
            length_variable_add(l, n, array);
    }
}

/* The value that a node gives to an integer of the function, or the subscript of an element; NULL
   of others. */
static const struct ast *number_in(const struct ast *ast)
{
    bool is_integer = ast->type && ast_class_is_integer(ast->type->class);
    if (ast->kind == AST_INDEX)
        return ast->children[1];
    if (ast->kind == AST_ASSIGN && is_integer && ast->children[0]->kind == AST_REF)
        return ast->children[1];
    return ast->kind == AST_VARIABLE && is_integer && ast->n_children ? ast->children[0] : NULL;
}

static void numbers_look(struct lengths *l, const struct ast *loop)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, loop); n; n = ast_next(&walk)) {
        const struct ast *number = number_in(n);
        if (number)
            elements_look(l, number, false);
    }
}

/* Is the node a loop whose elements may be read before it? */
static bool is_quiet_loop(const struct lengths *l, const struct ast *ast)
{
    return ast_is_loop(ast) && !calls_others(l, ast);
}

static void headers_look(struct lengths *l, const struct ast *ast, bool in_loop)
{
    bool begins = !in_loop && is_quiet_loop(l, ast);
    in_loop |= begins;
    int n = in_loop && ast->kind == AST_FOR ? 3 : 0;
    for (int i = 0; i < n; i++)
        elements_look(l, ast->children[i], true);
    if (begins)
        numbers_look(l, ast);
    for (int i = 0; i < ast->n_children; i++)
        if (ast->children[i] && !ast_is_expression(ast->children[i]))
            headers_look(l, ast->children[i], in_loop);
}

static void elements_replace(const struct lengths *l, const struct ast *ast, bool in_loop)
{
    in_loop = in_loop || is_quiet_loop(l, ast);
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *child = ast->children[i];
        bool names = child && in_loop && array_of(child) && !child->is_part;
        const struct ast *variable = names ? length_variable(l, child) : NULL;
        if (variable)
            *form_change(child) = *form_ref(l->arena, child, variable);
        else if (child)
            elements_replace(l, child, in_loop);
    }
}

void lengths_find(struct arena *arena, const struct word_list *words, const struct ast *function,
                  const struct ast *body)
{
    struct lengths l = {.arena = arena, .function = function, .body = body,
                        .words = words_again(arena, words)};
    headers_look(&l, body, false);
    if (l.variables.count)
        elements_replace(&l, body, false);
}
