/* Names for what an opened call computes, declared before the statement that calls.

       n = unit(d[i]);             const double length = sqrt(d[i].x * d[i].x + d[i].y * d[i].y);
                                   n = (struct v){d[i].x / length, d[i].y / length};

   In: a value of a variable or parameter of a called function. Out: a name that is declared before
   the statement, so that the value is computed once. Names and literals need none. A value that is
   not always needed gets no name if its computation might trap. As with fields.c all of the loop
   is mapped then, or nothing that uses the names. */
#include "frontend/ask.h"
#include "frontend/calls.h"
#include "mapper/forms/opening.h"
#include "mapper/forms/words.h"

static bool needs_no_name(struct opening *o, const struct ast *value)
{
    while (value->kind == AST_CAST)
        value = value->children[0];
    return value->kind == AST_INTEGER || value->kind == AST_REAL || value->kind == AST_CHARACTER ||
           (value->kind == AST_REF && !reads_memory(o, value));
}

static bool compares(const struct ast *ast)
{
    return ast->op == AST_OP_LT || ast->op == AST_OP_LE || ast->op == AST_OP_GT ||
           ast->op == AST_OP_GE || ast->op == AST_OP_EQ || ast->op == AST_OP_NE ||
           ast->op == AST_OP_LAND || ast->op == AST_OP_LOR || ast->op == AST_OP_NOT;
}

/* May the value be computed although nobody needs it? Arithmetic of floating numbers and
   comparisons neither trap nor overflow; integers might, and an element might lie outside its
   array. */
static bool is_harmless(struct opening *o, const struct ast *value)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, o->arena, value); n; n = ast_next(&walk)) {
        bool computes = n->kind == AST_BINARY || n->kind == AST_UNARY || n->kind == AST_CAST;
        bool is_call = n->kind == AST_CALL;
        if ((computes && ast_class_is_integer(n->type->class) && !compares(n)) ||
            (is_call && !call_is_pure(n)) || (!is_call && !n->n_children && reads_memory(o, n)) ||
            n->kind == AST_INDEX || n->kind == AST_MEMBER)
            return false;
    }
    return true;
}

/* Members of places are read again, as no store stands between. */
static const struct ast *list_name(struct opening *o, const char *name, const struct ast *whole)
{
    const struct ast *list = whole->children[0];
    for (int i = 0; i < list->n_children; i++) {
        const struct ast_field *field = &whole->type->fields[i];
        const struct ast *value = list->children[i];
        const char *own = arena_printf(o->arena, "%s_%s", name, field->name);
        if (value && !is_place(value))
            whole = structure_set(o, whole, field->name, value_name(o, own, field->type, value));
    }
    return whole;
}

const struct ast *value_name(struct opening *o, const char *name, const struct ast_type *type,
                             const struct ast *value)
{
    if (!o->names || o->fails || !value)
        return value;
    if (value->kind == AST_LITERAL)
        return list_name(o, name, value);
    if (!type_is_scalar(type) || type->class == AST_TYPE_POINTER || needs_no_name(o, value) ||
        (o->is_choice && !is_harmless(o, value)))
        return value;
    struct ast *declare = form_change(form_declare(
        o->arena, o->place, o->function, words_variable(o->names->words, name), type, value));
    const struct ast *variable = declare->children[0];
    form_note(o->arena, o->unit, MOVING_MEMBER, o->names->loop, variable);
    vec_push(o->arena, o->names->declared, declare);
    return form_ref(o->arena, o->place, variable);
}
