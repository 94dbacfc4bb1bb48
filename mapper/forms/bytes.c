/* Calls that set or copy elements, as loops: `memset(a[i], 0, m * sizeof(double))`, `memcpy`.

   In: the body of a function. Out: in loops, `for (int j = 0; j < m; j++) a[i][j] = 0;`, with an
   iterator that is made, where the number of bytes is a number of elements of one scalar type: of
   what both arguments point to, or of rows of it. A copy's memory does not overlap, as C says. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/rounds.h"
#include "mapper/forms/words.h"
#include <string.h>

/* The argument without casts to `void *`; NULL if it is no pointer to scalars. */
static const struct ast *scalars_at(const struct ast *argument)
{
    while (argument->kind == AST_CAST && argument->n_children && argument->type &&
           argument->type->class == AST_TYPE_POINTER && argument->type->element &&
           argument->type->element->class == AST_TYPE_VOID)
        argument = argument->children[0];
    const struct ast_type *type = argument->type ? argument->type->element : NULL;
    bool good = type && ast_class_is_scalar(type->class) && type->class != AST_TYPE_POINTER &&
                type->class != AST_TYPE_BOOL && !type->is_volatile && !argument->is_macro &&
                !argument->is_part;
    return good ? argument : NULL;
}

static const struct ast *plain(const struct ast *ast)
{
    while (ast->kind == AST_CAST && ast->is_implicit)
        ast = ast->children[0];
    return ast;
}

/* The number of elements that a number of bytes is, `n * sizeof(double)`; NULL if that is not
   known. */
static const struct ast *count_of_bytes(struct arena *arena, const struct ast *bytes,
                                        int64_t element)
{
    bytes = plain(bytes);
    if (bytes->is_macro || bytes->is_part)
        return NULL;
    if ((bytes->kind == AST_SIZEOF || bytes->kind == AST_INTEGER) && bytes->integer > 0 &&
        bytes->integer % element == 0)
        return form_literal(arena, bytes, NULL, bytes->integer / element);
    int n_sides = bytes->kind == AST_BINARY && bytes->op == AST_OP_MUL ? 2 : 0;
    for (int side = 0; side < n_sides; side++) {
        const struct ast *size = plain(bytes->children[side]);
        const struct ast *count = plain(bytes->children[1 - side]);
        if (size->kind == AST_SIZEOF && size->integer == element && count->type &&
            ast_class_is_integer(count->type->class))
            return count;
    }
    return element == 1 ? bytes : NULL;
}

/* Is the value the same in all rounds, and made without a change? */
static bool is_plain_value(struct arena *arena, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, ast); n; n = ast_next(&walk)) {
        bool good = n->kind == AST_REF || n->kind == AST_INTEGER || n->kind == AST_INDEX ||
                    n->kind == AST_BINARY || n->kind == AST_CAST || n->kind == AST_SIZEOF ||
                    (n->kind == AST_UNARY &&
                     (n->op == AST_OP_ADDRESS || n->op == AST_OP_MINUS));
        if (!good || n->is_macro || n->is_part)
            return false;
    }
    return true;
}

static const struct ast *element_at(struct arena *arena, const struct ast *place,
                                    const struct ast *iterator)
{
    const struct ast *parts[] = {plain(place), form_ref(arena, place, iterator)};
    return form_make(arena, AST_INDEX, place, place->type->element, 2, parts);
}

static bool is_library(const struct ast *call, const char *name)
{
    return call->decl && !call->decl->has_body && !call->decl->is_static &&
           !strcmp(call->decl->name, name) && call->n_children == 3;
}

static bool same_scalars(const struct ast *to, const struct ast *from)
{
    return to->type->element->class == from->type->element->class &&
           to->type->element->bytes == from->type->element->bytes;
}

/* The loop in place of the call; false if the call is another one. */
static bool call_fold(const struct rounds *r, const struct ast *call)
{
    bool sets = is_library(call, "memset"), copies = is_library(call, "memcpy");
    if ((!sets && !copies) || call->is_macro || call->is_macro_end)
        return false;
    const struct ast *to = scalars_at(call->children[0]);
    const struct ast *from = copies ? scalars_at(call->children[1]) : NULL;
    const struct ast *value = plain(call->children[1]);
    if (!to || to->type->element->is_const || (copies && (!from || !same_scalars(to, from))) ||
        (sets && (value->kind != AST_INTEGER || value->integer)))
        return false;
    const struct ast *count = count_of_bytes(r->arena, call->children[2],
                                             to->type->element->bytes);
    if (!count || !is_plain_value(r->arena, count) || !is_plain_value(r->arena, to) ||
        (from && !is_plain_value(r->arena, from)))
        return false;
    const struct ast_type *type = count->type;
    if (type->class != AST_TYPE_I32 && type->class != AST_TYPE_I64 && type->class != AST_TYPE_U64)
        type = form_long(r->arena, AST_TYPE_I64);
    struct ast *iterator = iterator_make(r, call, type);
    const struct ast *sides[] = {
        element_at(r->arena, to, iterator),
        from ? element_at(r->arena, from, iterator)
             : form_literal(r->arena, call, form_int(r->arena), 0)};
    struct ast *body = form_make(r->arena, AST_ASSIGN, call, to->type->element, 2, sides);
    struct ast place = *call;
    place.end = statement_end(r->unit, call);
    struct loop_parts loop = {call, NULL, NULL, NULL, body};
    counting_loop_make(r, &loop, iterator, count);
    form_change(call)->end = place.end;
    return true;
}

/* A statement that ends with such a call ends behind the call's semicolon then, as a loop does. A
   function that a declaration declares has its text elsewhere. */
static void calls_fold(const struct rounds *r, const struct ast *root, bool in_loop)
{
    for (int i = 0; i < root->n_children; i++) {
        const struct ast *child = root->children[i];
        bool inside = in_loop || root->kind == AST_FOR || root->kind == AST_WHILE ||
                      root->kind == AST_DO;
        if (!child || child->kind == AST_DECLARE)
            continue;
        if (child->kind == AST_CALL && inside && statement_is(root, i))
            call_fold(r, child);
        else if (!ast_is_expression(child))
            calls_fold(r, child, inside);
        if (!ast_is_expression(child) && child->end > root->end)
            form_change(root)->end = child->end;
    }
}

void bytes_fold(struct arena *arena, const struct ast_unit *unit, const struct word_list *words,
                const struct ast *function, const struct ast *body)
{
    struct rounds r = {arena, unit, function, body, words_again(arena, words)};
    calls_fold(&r, body, false);
}
