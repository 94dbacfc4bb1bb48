/* Structures of a called function as lists of the values of their members.

       static struct v sum(struct v a, struct v b)
       {
           struct v c = {a.x + b.x};
           c.y = a.y + b.y;
           return c;
       }
       out[i] = sum(p[i], p[j]);          out[i] = (struct v){p[i].x + p[j].x, p[i].y + p[j].y};

   In: expressions and assignments of a called function that mean a whole structure of scalars.
   Out: a literal, whose list has a value for each member, as C has it of that member's type; a
   place in memory stays one. fields.c makes an assignment for each member of it. */
#include "frontend/ask.h"
#include "mapper/forms/opening.h"
#include <string.h>

bool is_structure_value(const struct ast_type *type)
{
    return type && type->class == AST_TYPE_STRUCT && type->fields && !type->is_complex &&
           !type->is_volatile && !type->has_volatile;
}

const struct ast *own_variable(const struct ast *function, const struct ast *target)
{
    while (target->kind == AST_MEMBER && target->n_children &&
           is_structure_value(target->children[0]->type))
        target = ast_strip(target->children[0]);
    return target->kind == AST_REF && target->decl->owner == function ? target->decl : NULL;
}

static int field_number(const struct ast_type *type, const char *name)
{
    for (int i = 0; i < type->n_fields; i++)
        if (name && !strcmp(type->fields[i].name, name))
            return i;
    return -1;
}

/* A literal with room for the values, which its owner sets. */
static const struct ast *literal_make(struct opening *o, const struct ast_type *type,
                                      const struct ast **values)
{
    const struct ast *list = form_make(o->arena, AST_LIST, o->place, type, type->n_fields, values);
    return form_make(o->arena, AST_LITERAL, o->place, type, 1, &list);
}

/* The value as one of the member's type, its conversion written. */
static const struct ast *field_value(struct opening *o, const struct ast_field *field,
                                     const struct ast *value)
{
    return conversion_write(o, form_convert(o->arena, o->place, field->type, value));
}

static const struct ast *place_member(struct opening *o, const struct ast *place,
                                      const struct ast_field *field)
{
    const struct ast *base = form_copy(o->arena, place);
    struct ast *member = form_make(o->arena, AST_MEMBER, o->place, field->type, 1, &base);
    member->name = field->name;
    member->integer = field->byte;
    return member;
}

const struct ast *structure_list(struct opening *o, const struct ast_type *type,
                                 const struct ast *whole)
{
    const struct ast *values[FIELDS_MAX] = {NULL};
    int n_known = whole ? type->n_fields : 0;
    if (whole && whole->kind == AST_LITERAL)
        return whole;
    for (int i = 0; i < n_known; i++)
        values[i] = place_member(o, whole, &type->fields[i]);
    return literal_make(o, type, values);
}

const struct ast *structure_member(const struct ast *whole, const char *member)
{
    int field = whole->kind == AST_LITERAL ? field_number(whole->type, member) : -1;
    return field < 0 ? NULL : whole->children[0]->children[field];
}

const struct ast *structure_set(struct opening *o, const struct ast *whole, const char *member,
                                const struct ast *value)
{
    const struct ast *values[FIELDS_MAX] = {NULL};
    const struct ast *list = structure_list(o, whole->type, whole)->children[0];
    for (int i = 0; i < whole->type->n_fields; i++)
        values[i] = list->children[i];
    int field = field_number(whole->type, member);
    if (field < 0)
        return opening_fail(o);
    values[field] = field_value(o, &whole->type->fields[field], value);
    return literal_make(o, whole->type, values);
}

bool is_full_list(const struct ast *ast)
{
    const struct ast *list = ast->kind == AST_LITERAL && ast->n_children == 1 ? ast->children[0]
                                                                              : ast;
    if (list == ast || list->kind != AST_LIST || !is_structure_value(ast->type) ||
        list->n_children != ast->type->n_fields)
        return false;
    for (int i = 0; i < list->n_children; i++) {
        const struct ast *value = list->children[i];
        if (!value || value->kind == AST_DESIGNATED || !type_is_scalar(value->type))
            return false;
    }
    return true;
}

const struct ast *structure_open(struct opening *o, const struct ast *ast, const called_list *list)
{
    const struct ast *values[FIELDS_MAX] = {NULL};
    if (ast->kind == AST_LITERAL && ast->n_children == 1)
        ast = ast->children[0];
    if (ast->kind != AST_LIST || !is_structure_value(ast->type))
        return opening_fail(o);
    for (int i = 0, field = 0; i < ast->n_children && !o->fails; i++, field++) {
        const struct ast *value = ast->children[i];
        bool is_named = value->kind == AST_DESIGNATED && value->name;
        field = is_named ? field_number(ast->type, value->name) : field;
        value = is_named ? value->children[0] : value;
        if (field < 0 || field >= ast->type->n_fields)
            return opening_fail(o);
        if (value->kind != AST_ZERO && type_is_scalar(value->type))
            values[field] = field_value(o, &ast->type->fields[field],
                                        expression_open(o, value, list));
        else if (value->kind != AST_ZERO)
            return opening_fail(o);
    }
    for (int i = 0; i < ast->type->n_fields; i++)
        if (!values[i])
            values[i] = field_value(o, &ast->type->fields[i],
                                    form_literal(o->arena, o->place, form_int(o->arena), 0));
    return literal_make(o, ast->type, values);
}

/* Are both the same variable, or the same member of one place? */
static bool are_same(const struct ast *a, const struct ast *b)
{
    if (a->kind != b->kind || a->n_children != b->n_children || a->decl != b->decl ||
        a->integer != b->integer)
        return false;
    if (a->kind != AST_REF && a->kind != AST_MEMBER && a->kind != AST_INDEX &&
        a->kind != AST_INTEGER)
        return false;
    for (int i = 0; i < a->n_children; i++)
        if (!are_same(a->children[i], b->children[i]))
            return false;
    return true;
}

const struct ast *value_choose(struct opening *o, const struct ast_type *type,
                               const struct ast *condition, const struct ast *yes,
                               const struct ast *no)
{
    const struct ast *parts[] = {condition, yes, no}, *values[FIELDS_MAX] = {NULL};
    if (!is_structure_value(type))
        return form_make(o->arena, AST_CONDITIONAL, o->place, type, 3, parts);
    condition = value_name(o, "is", form_int(o->arena), condition);
    const struct ast *first = structure_list(o, type, yes)->children[0];
    const struct ast *second = structure_list(o, type, no)->children[0];
    for (int i = 0; i < type->n_fields; i++) {
        const struct ast *member[] = {form_copy(o->arena, condition), first->children[i],
                                      second->children[i]};
        if (member[1] && member[2] && are_same(member[1], member[2]))
            values[i] = member[1];
        else if (member[1] && member[2])
            values[i] = form_make(o->arena, AST_CONDITIONAL, o->place, type->fields[i].type, 3,
                                  member);
    }
    return literal_make(o, type, values);
}
