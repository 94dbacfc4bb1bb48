/* Expressions of a called function as expressions of its caller.

   In: an expression of the called function, and what its variables stand for. Out: the same with
   these values in their place; the call stays where there is none, or where a name means another
   thing in the caller. Conversions that a parameter, a variable or a result made are written. */
#include "frontend/ask.h"
#include "frontend/calls.h"
#include "frontend/writes.h"
#include "mapper/forms/opening.h"
#include <string.h>

/* --- questions -------------------------------------------------------------------------------- */

static bool is_structure(const struct ast_type *type)
{
    return type && type->class == AST_TYPE_STRUCT;
}

bool passes_structure(const struct ast *function)
{
    if (is_structure(function->type))
        return true;
    for (int i = 0; i < function->n_children; i++) {
        const struct ast_type *type = function->children[i]->type;
        if (is_structure(type) || (type && type->class == AST_TYPE_POINTER &&
                                   is_structure(type->element)))
            return true;
    }
    return false;
}

/* Does the function, which the file shows, change only variables of its own and call none that
   might change more? */
static bool is_calm(struct opening *o, const struct ast *function, int depth)
{
    const struct ast *body = function->has_body ? ast_body(o->unit, function) : NULL;
    struct ast_walk walk;
    if (!body || function->is_variadic || depth > OPENING_CALLS_MAX)
        return false;
    for (const struct ast *n = ast_first(&walk, o->arena, body); n; n = ast_next(&walk)) {
        const struct ast *target = change_target(n);
        const struct ast *decl = target ? own_variable(function, target) : NULL;
        bool own = decl && !decl->is_static && !decl->is_extern;
        bool calm_call = n->kind != AST_CALL || call_is_pure(n) ||
                         (n->decl && n->decl != function && is_calm(o, n->decl, depth + 1));
        if ((target && !own) || !calm_call || ast_is_loop(n) || n->kind == AST_OPAQUE)
            return false;
    }
    return true;
}

bool is_calm_call(struct opening *o, const struct ast *call)
{
    return call_is_pure(call) || (call->decl && is_calm(o, call->decl, 0));
}

bool is_calm_value(struct opening *o, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, o->arena, ast); n; n = ast_next(&walk))
        if (change_target(n) || n->kind == AST_OPAQUE ||
            (n->kind == AST_CALL && !is_calm_call(o, n)))
            return false;
    return true;
}

bool reads_memory(struct opening *o, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, o->arena, ast); n; n = ast_next(&walk)) {
        bool is_address = n->kind == AST_UNARY && n->op == AST_OP_ADDRESS;
        if (is_address && ast_strip(n->children[0])->kind == AST_REF)
            ast_skip(&walk);
        if (n->kind == AST_INDEX || n->kind == AST_MEMBER || n->kind == AST_CALL ||
            (n->kind == AST_UNARY && n->op == AST_OP_DEREFERENCE) ||
            (n->kind == AST_REF && (n->decl->is_global || n->decl->is_static ||
                                    ast_takes_address(o->body, n->decl))))
            return true;
    }
    return false;
}

int nodes_count(struct opening *o, const struct ast *ast)
{
    struct ast_walk walk;
    int n = 0;
    for (const struct ast *a = ast_first(&walk, o->arena, ast); a; a = ast_next(&walk))
        n++;
    return n;
}

/* Is the name hidden where the call stands? */
static bool name_is_hidden(struct opening *o, const struct ast *decl)
{
    for (int i = 0; i < o->function->n_children; i++)
        if (o->function->children[i]->name && !strcmp(o->function->children[i]->name, decl->name))
            return true;
    return form_hides(o->arena, decl, o->body);
}

bool is_place(const struct ast *ast)
{
    while (ast->kind == AST_MEMBER || ast->kind == AST_INDEX ||
           (ast->kind == AST_UNARY && ast->op == AST_OP_DEREFERENCE))
        ast = ast_strip(ast->children[0]);
    return ast->kind == AST_REF;
}

const struct ast *opening_fail(struct opening *o)
{
    o->fails = true;
    return o->place;
}

/* --- expressions ------------------------------------------------------------------------------ */

struct called_variable *called_find(const called_list *list, const struct ast *decl)
{
    for (size_t i = list->count; i > 0; i--)
        if (list->at[i - 1].decl == decl)
            return &list->at[i - 1];
    return NULL;
}

static const struct ast *name_open(struct opening *o, const struct ast *ref,
                                   const called_list *list)
{
    const struct called_variable *binding = called_find(list, ref->decl);
    bool own = ref->decl->owner == o->callee;
    if (binding && binding->value && !binding->is_before_store) {
        o->n_nodes += nodes_count(o, binding->value);
        return form_copy(o->arena, binding->value);
    }
    if (own || name_is_hidden(o, ref->decl) || ref->decl->type->is_volatile)
        return opening_fail(o);
    return form_ref(o->arena, o->place, ref->decl);
}

/* A literal keeps its spelling where that means the same at the call. */
static const struct ast *literal_open(struct opening *o, const struct ast *ast)
{
    struct ast *literal = form_change(form_copy(o->arena, ast));
    char first = o->unit->source->text[ast->begin];
    bool is_constant = !ast->is_macro && !strchr("0123456789.'", first);
    if (is_constant || (ast->is_macro && !macro_is_fixed(o->unit, ast->begin)))
        literal->begin = literal->end = 0;
    if (ast->kind == AST_SIZEOF) {
        literal->begin = literal->end = 0;
        literal->decl = NULL;
    }
    return literal;
}

/* `x` for `*&x` and `(&x)[0]`. */
static const struct ast *address_drop(const struct ast *pointer)
{
    const struct ast *ast = ast_strip(pointer);
    return ast->kind == AST_UNARY && ast->op == AST_OP_ADDRESS ? ast->children[0] : NULL;
}

/* The structure that a member belongs to, by a pointer or not: arrays give their first one. */
static const struct ast *owner_open(struct opening *o, const struct ast *owner)
{
    const struct ast *structure = address_drop(owner);
    if (structure)
        return structure;
    if (owner->kind == AST_UNARY && owner->op == AST_OP_DEREFERENCE)
        return owner->children[0];
    if (!owner->type || owner->type->class != AST_TYPE_ARRAY)
        return owner;
    const struct ast *sides[] = {owner, form_literal(o->arena, o->place, form_int(o->arena), 0)};
    return form_make(o->arena, AST_INDEX, o->place, owner->type->element, 2, sides);
}

static bool is_opened(enum ast_kind kind)
{
    return kind == AST_CAST || kind == AST_BINARY || kind == AST_UNARY ||
           kind == AST_CONDITIONAL || kind == AST_INDEX || kind == AST_MEMBER || kind == AST_CALL;
}

bool has_choice(const struct ast *ast)
{
    return ast->kind == AST_CONDITIONAL ||
           (ast->kind == AST_BINARY && (ast->op == AST_OP_LAND || ast->op == AST_OP_LOR));
}

const struct ast *expression_open(struct opening *o, const struct ast *ast,
                                  const called_list *list)
{
    const struct ast *children[OPENING_CALLS_MAX] = {NULL};
    if (++o->n_nodes > (o->names ? OPENING_NAMED_MAX : OPENING_NODES_MAX))
        return opening_fail(o);
    if (ast->kind == AST_LIST || ast->kind == AST_LITERAL)
        return structure_open(o, ast, list);
    if (ast->n_children > OPENING_CALLS_MAX)
        return opening_fail(o);
    if (ast->kind == AST_REF)
        return name_open(o, ast, list);
    if (ast->kind == AST_INTEGER || ast->kind == AST_CHARACTER || ast->kind == AST_REAL ||
        ast->kind == AST_SIZEOF)
        return literal_open(o, ast);
    if (!is_opened(ast->kind) || change_target(ast) || (ast->type && ast->type->is_volatile) ||
        (ast->kind == AST_CALL && !is_calm_call(o, ast)))
        return opening_fail(o);
    bool is_choice = o->is_choice;
    for (int i = 0; i < ast->n_children && !o->fails; i++) {
        o->is_choice = is_choice || (i > 0 && has_choice(ast));
        children[i] = expression_open(o, ast->children[i], list);
    }
    o->is_choice = is_choice;
    if (o->fails)
        return o->place;
    if (ast->kind == AST_MEMBER && children[0] && children[0]->kind == AST_LITERAL) {
        const struct ast *value = structure_member(children[0], ast->name);
        return value ? form_copy(o->arena, value) : opening_fail(o);
    }
    if (ast->kind == AST_CONDITIONAL && is_structure(ast->type))
        return value_choose(o, ast->type, children[0], children[1], children[2]);
    if (ast->kind == AST_UNARY && ast->op == AST_OP_DEREFERENCE && address_drop(children[0]))
        return address_drop(children[0]);
    if (ast->kind == AST_UNARY && ast->op == AST_OP_ADDRESS && !is_place(ast_strip(children[0])))
        return opening_fail(o);
    if (ast->kind == AST_MEMBER && children[0])
        children[0] = owner_open(o, children[0]);
    struct ast *node = form_make(o->arena, ast->kind, o->place, ast->type, ast->n_children,
                                 children);
    node->op = ast->op;
    node->name = ast->name;
    node->decl = ast->decl;
    node->integer = ast->kind == AST_MEMBER ? ast->integer : 0;
    node->is_implicit = ast->is_implicit;
    if (node->kind == AST_CALL && name_is_hidden(o, ast->decl))
        return opening_fail(o);
    bool opens = node->kind == AST_CALL && node->decl->has_body && passes_structure(node->decl);
    return opens ? value_of_call(o, node) : node;
}

const struct ast *conversion_write(struct opening *o, const struct ast *value)
{
    if (value->kind != AST_CAST || !value->is_implicit)
        return value;
    return form_make(o->arena, AST_CAST, o->place, value->type, 1, value->children);
}

/* --- assignments ------------------------------------------------------------------------------ */

/* The type that C computes with in place of a smaller one. */
static const struct ast_type *promoted(struct opening *o, const struct ast_type *type)
{
    if (type->class == AST_TYPE_F16)
        return form_float(o->arena);
    return ast_class_is_integer(type->class) && type->bytes < 4 ? form_int(o->arena) : type;
}

/* The type in which `a op= b` is computed; NULL where integers of several types meet. */
static const struct ast_type *update_type(struct opening *o, const struct ast *a,
                                          const struct ast *b)
{
    const struct ast_type *first = promoted(o, a->type), *second = promoted(o, b->type);
    bool is_real = first->class == AST_TYPE_F32 || first->class == AST_TYPE_F64;
    bool other_is_real = second->class == AST_TYPE_F32 || second->class == AST_TYPE_F64;
    if (first->class == second->class)
        return first;
    if (is_real && other_is_real)
        return first->class == AST_TYPE_F64 ? first : second;
    return is_real ? first : NULL;
}

const struct ast *value_assigned(struct opening *o, const struct ast *statement,
                                        const called_list *list)
{
    const struct ast *target = statement->children[0];
    const struct ast *value = expression_open(o, statement->children[1], list);
    if (statement->op == AST_OP_NONE || o->fails)
        return conversion_write(o, value);
    const struct ast_type *type = update_type(o, target, value);
    bool shifts = statement->op == AST_OP_SHL || statement->op == AST_OP_SHR;
    if (!type || shifts)
        return opening_fail(o);
    const struct ast *before = conversion_write(
        o, form_convert(o->arena, o->place, type, expression_open(o, target, list)));
    value = conversion_write(o, form_convert(o->arena, o->place, type, value));
    value = form_binary(o->arena, statement->op, type, o->place, before, value);
    return conversion_write(o, form_convert(o->arena, o->place, target->type, value));
}

const struct ast *increment_spell(struct opening *o, const struct ast *statement)
{
    bool counts = statement->kind == AST_UNARY && change_target(statement);
    bool adds = statement->op == AST_OP_PRE_INCREMENT ||
                statement->op == AST_OP_POST_INCREMENT;
    if (!counts)
        return statement;
    return form_assign(o->arena, statement, adds ? AST_OP_ADD : AST_OP_SUB,
                       change_target(statement),
                       form_literal(o->arena, statement, form_int(o->arena), 1));
}
