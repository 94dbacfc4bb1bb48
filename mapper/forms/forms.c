/* Forms of plain C that mean the same as simpler ones.

   In: the bodies of a file's functions. Out: the same bodies with simpler nodes. The text of such a
   node is printed from the texts of its children (text.c); needless statements become empty. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/header.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"
#include <string.h>

struct ast *form_make(struct arena *arena, enum ast_kind kind, const struct ast *place,
                      const struct ast_type *type, int n_children,
                      const struct ast *const *children)
{
    struct ast *node = ARENA_NEW(arena, struct ast);
    const struct ast **list = ARENA_ARRAY(arena, const struct ast *, n_children + 1);
    for (int i = 0; i < n_children; i++)
        list[i] = children[i];
    node->kind = kind;
    node->type = type;
    node->loc = place->loc;
    node->begin = place->begin;
    node->end = place->end;
    node->n_children = n_children;
    node->children = list;
    node->is_part = place->is_part;
    node->is_made = true;
    return node;
}

const struct ast *form_copy(struct arena *arena, const struct ast *ast)
{
    if (!ast)
        return NULL;
    struct ast *copy = ARENA_NEW(arena, struct ast);
    const struct ast **list = ARENA_ARRAY(arena, const struct ast *, ast->n_children + 1);
    for (int i = 0; i < ast->n_children; i++)
        list[i] = form_copy(arena, ast->children[i]);
    *copy = *ast;
    copy->children = list;
    return copy;
}

/* The value in place of a name, cast where the variable has another type. */
static const struct ast *value_put(struct arena *arena, const struct ast *ref,
                                   const struct ast *value)
{
    const struct ast *copy = form_copy(arena, value);
    if (value->type && value->type->class == ref->decl->type->class)
        return copy;
    return form_make(arena, AST_CAST, ref, ref->decl->type, 1, &copy);
}

/* `changes`: set if the copy has another text. */
static const struct ast *put_in(struct arena *arena, const struct ast *ast, struct map *values,
                                bool *changes)
{
    const struct ast *value = ast && ast->kind == AST_REF ? map_get_pointer(values, ast->decl)
                                                          : NULL;
    *changes |= value != NULL;
    if (!ast || value)
        return ast ? value_put(arena, ast, value) : NULL;
    struct ast *made = ARENA_NEW(arena, struct ast);
    const struct ast **list = ARENA_ARRAY(arena, const struct ast *, ast->n_children + 1);
    bool differs = false;
    *made = *ast;
    made->children = list;
    for (int i = 0; i < ast->n_children; i++)
        list[i] = put_in(arena, ast->children[i], values, &differs);
    if (ast->kind == AST_VARIABLE)
        map_put_pointer(values, ast, form_ref(arena, ast, made));
    else
        made->is_made |= differs;
    *changes |= differs;
    return made;
}

const struct ast *form_put(struct arena *arena, const struct ast *ast, struct map *values)
{
    bool changes = false;
    return put_in(arena, ast, values, &changes);
}

const struct ast_type *form_long(struct arena *arena, enum ast_class class)
{
    struct ast_type *type = ARENA_NEW(arena, struct ast_type);
    type->class = class;
    type->text = type->canonical = class == AST_TYPE_I64 ? "long" : "unsigned long";
    type->bytes = 8;
    type->count = -1;
    return type;
}

static const struct ast_type *type_made(struct arena *arena, enum ast_class class,
                                        const char *text)
{
    struct ast_type *type = ARENA_NEW(arena, struct ast_type);
    type->class = class;
    type->text = type->canonical = text;
    type->bytes = 4;
    type->count = -1;
    return type;
}

const struct ast_type *form_int(struct arena *arena)
{
    return type_made(arena, AST_TYPE_I32, "int");
}

const struct ast_type *form_float(struct arena *arena)
{
    return type_made(arena, AST_TYPE_F32, "float");
}

const struct ast *form_widen(struct arena *arena, const struct ast *ast, enum ast_class class,
                             bool is_written)
{
    if (ast->type->class == class)
        return ast;
    struct ast *cast = form_make(arena, AST_CAST, ast, form_long(arena, class), 1, &ast);
    cast->is_implicit = !is_written;
    return cast;
}

static bool is_wide(const struct ast *ast)
{
    return ast->type->class == AST_TYPE_I64 || ast->type->class == AST_TYPE_U64;
}

static bool is_zero_literal(const struct ast *ast)
{
    return ast->kind == AST_INTEGER && ast->integer == 0;
}

const struct ast *form_literal(struct arena *arena, const struct ast *place,
                               const struct ast_type *type, int64_t value)
{
    struct ast *literal = form_make(arena, AST_INTEGER, place,
                                    type ? type : form_long(arena, AST_TYPE_I64), 0, NULL);
    literal->integer = value;
    return literal;
}

struct ast *form_ref(struct arena *arena, const struct ast *place, const struct ast *decl)
{
    struct ast *ref = form_make(arena, AST_REF, place, decl->type, 0, NULL);
    ref->decl = decl;
    return ref;
}

const struct ast *form_member(struct arena *arena, const struct ast *whole,
                              const struct ast_field *field)
{
    const struct ast *base = form_copy(arena, whole);
    struct ast *member = form_make(arena, AST_MEMBER, whole, field->type, 1, &base);
    member->name = field->name;
    member->integer = field->byte;
    return member;
}

struct ast *form_variable(struct arena *arena, const struct ast *function, const char *name,
                          const struct ast_type *type, const struct ast *value)
{
    struct ast *variable = form_make(arena, AST_VARIABLE, value, type, 1, &value);
    variable->begin = variable->end = 0;
    variable->name = name;
    variable->owner = function;
    return variable;
}

const struct ast *form_binary(struct arena *arena, enum ast_op op, const struct ast_type *type,
                              const struct ast *place, const struct ast *a, const struct ast *b)
{
    const struct ast *sides[] = {a, b};
    struct ast *binary = form_make(arena, AST_BINARY, place, type, 2, sides);
    binary->op = op;
    return binary;
}

const struct ast *form_assign(struct arena *arena, const struct ast *place, enum ast_op op,
                              const struct ast *target, const struct ast *value)
{
    const struct ast *sides[] = {target, value};
    struct ast *store = form_make(arena, AST_ASSIGN, place, target->type, 2, sides);
    store->op = op;
    return store;
}

const struct ast *form_convert(struct arena *arena, const struct ast *place,
                               const struct ast_type *type, const struct ast *value)
{
    if (value->type && value->type->class == type->class)
        return value;
    struct ast *cast = form_make(arena, AST_CAST, place, type, 1, &value);
    cast->is_implicit = true;
    return cast;
}

const struct ast_type *form_plain_type(struct arena *arena, const struct ast_type *type)
{
    struct ast_type *own = ARENA_NEW(arena, struct ast_type);
    *own = *type;
    own->is_const = false;
    own->text = type->canonical;
    return own;
}

const struct ast *form_declare(struct arena *arena, const struct ast *place,
                               const struct ast *function, const char *name,
                               const struct ast_type *type, const struct ast *value)
{
    const struct ast_type *own = form_plain_type(arena, type);
    struct ast *variable = form_variable(arena, function, name, own,
                                         form_convert(arena, place, own, value));
    variable->is_made = false;
    const struct ast *declared = variable;
    return form_make(arena, AST_DECLARE, place, NULL, 1, &declared);
}

const struct ast *form_product(struct arena *arena, const struct ast *a, const struct ast *b)
{
    if (a->kind == AST_INTEGER && a->integer == 1)
        return b;
    if (b->kind == AST_INTEGER && b->integer == 1)
        return a;
    const struct ast *wide = form_widen(arena, a, AST_TYPE_I64, true);
    return form_binary(arena, AST_OP_MUL, wide->type, b, wide,
                       form_widen(arena, b, AST_TYPE_I64, false));
}

const struct ast *form_sum(struct arena *arena, const struct ast *a, const struct ast *b,
                           enum ast_op op)
{
    if (!a && op == AST_OP_ADD)
        return b;
    if (is_zero_literal(b))
        return a;
    if (a && is_zero_literal(a) && op == AST_OP_ADD)
        return b;
    if (!a) {
        const struct ast *operand = form_widen(arena, b, AST_TYPE_I64, true);
        struct ast *minus = form_make(arena, AST_UNARY, b, operand->type, 1, &operand);
        minus->op = AST_OP_MINUS;
        return minus;
    }
    if (a->kind == AST_INTEGER && op == AST_OP_ADD) {
        const struct ast *literal = a;
        a = b;
        b = literal;
    }
    enum ast_class class = a->type->class == AST_TYPE_U64 || b->type->class == AST_TYPE_U64
                               ? AST_TYPE_U64 : AST_TYPE_I64;
    const struct ast *wide = form_widen(arena, a, class, !is_wide(a) && !is_wide(b));
    return form_binary(arena, op, wide->type, b, wide, form_widen(arena, b, class, false));
}

bool statement_is(const struct ast *parent, int child)
{
    return parent->kind == AST_COMPOUND || (parent->kind == AST_IF && child > 0) ||
           (parent->kind == AST_FOR && child == 3);
}

bool form_is_in_loop(struct arena *arena, const struct ast *decl, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk)) {
        bool loop = n->kind == AST_FOR || n->kind == AST_WHILE || n->kind == AST_DO;
        if (loop && decl->begin >= n->begin && decl->end <= n->end)
            return true;
    }
    return false;
}

bool loop_parts_read(const struct ast *loop, struct loop_parts *p)
{
    const struct ast *const *parts = loop->children;
    *p = (struct loop_parts){.loop = loop};
    if (loop->is_macro || loop->is_meta)
        return false;
    if (loop->kind == AST_WHILE)
        *p = (struct loop_parts){loop, NULL, parts[0], NULL, parts[1]};
    else if (loop->kind == AST_FOR)
        *p = (struct loop_parts){loop, parts[0], parts[1], parts[2], parts[3]};
    return p->condition && p->body;
}

const struct ast *last_statement(const struct ast *body)
{
    bool block = body->kind == AST_COMPOUND && body->n_children > 0;
    return block ? body->children[body->n_children - 1] : NULL;
}

const struct ast *value_given(const struct ast *statement, const struct ast *decl)
{
    if (statement->kind == AST_ASSIGN && statement->op == AST_OP_NONE &&
        is_ref_to(ast_strip(statement->children[0]), decl))
        return statement->children[1];
    int n = statement->kind == AST_DECLARE && decl->n_children ? statement->n_children : 0;
    for (int i = 0; i < n; i++)
        if (statement->children[i] == decl)
            return decl->children[0];
    return NULL;
}

bool form_hides(struct arena *arena, const struct ast *decl, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk))
        if (n->kind == AST_VARIABLE && n != decl && !strcmp(n->name, decl->name))
            return true;
    return false;
}

static bool declaration_has(const struct ast *statement, const struct ast *decl)
{
    int n = statement->kind == AST_DECLARE ? statement->n_children : 0;
    for (int i = 0; i < n; i++)
        if (statement->children[i] == decl)
            return true;
    return false;
}

bool form_is_before_loops(struct arena *arena, const struct ast_unit *unit,
                          const struct ast *function, const struct ast *body,
                          const struct ast *decl)
{
    struct ast_walk walk;
    for (size_t i = 0; i < unit->n_pragmas; i++)
        if (unit->pragmas[i].kind != PRAGMA_ADVICE && unit->pragmas[i].begin > function->begin &&
            unit->pragmas[i].begin < decl->begin)
            return false;
    for (int i = 0; i < body->n_children; i++) {
        const struct ast *statement = body->children[i];
        if (declaration_has(statement, decl))
            return true;
        for (const struct ast *n = ast_first(&walk, arena, statement); n; n = ast_next(&walk))
            if (ast_is_loop(n))
                return false;
    }
    return false;
}

bool form_has_texts(const struct ast *statement)
{
    bool good = !statement->is_part;
    for (int i = 0; i < statement->n_children; i++)
        good &= !statement->children[i] || !statement->children[i]->is_part;
    return good;
}

void form_remove(const struct ast *statement)
{
    struct ast *node = form_change(statement);
    node->kind = AST_EMPTY;
    node->is_made = true;
    node->n_children = 0;
}

void form_note(struct arena *arena, struct ast_unit *unit, enum ast_moving kind,
               const struct ast *loop, const struct ast *variable)
{
    struct ast_moved *moved = ARENA_NEW(arena, struct ast_moved);
    *moved = (struct ast_moved){kind, variable, loop, NULL, unit->moved};
    unit->moved = moved;
}

void form_undeclare(struct arena *arena, const struct ast *body, const struct ast *decl, size_t end)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk)) {
        const struct ast **kept = ARENA_ARRAY(arena, const struct ast *, n->n_children + 1);
        int n_kept = 0;
        for (int i = 0; i < n->n_children; i++)
            if (n->children[i] != decl)
                kept[n_kept++] = n->children[i];
        if (n->kind != AST_DECLARE || n_kept == n->n_children)
            continue;
        form_change(n)->name = decl->name;
        form_change(n)->integer = (int64_t)end;
        form_change(n)->children = kept;
        form_change(n)->n_children = n_kept;
        form_change(n)->is_made = true;
        if (!n_kept)
            form_remove(n);
        return;
    }
}

static const struct ast *returned(const struct ast *statement)
{
    while (statement && statement->kind == AST_COMPOUND && statement->n_children == 1)
        statement = statement->children[0];
    return statement && statement->kind == AST_RETURN && statement->n_children
               ? statement->children[0] : NULL;
}

/* The body `if (c) return x; return y;` of a function becomes `return c ? x : y;`. */
static void returns_join(struct arena *arena, const struct ast *body)
{
    const struct ast *choice = body->n_children ? body->children[0] : NULL;
    if (!choice || choice->kind != AST_IF || body->n_children + choice->n_children != 4)
        return;
    bool is_last = body->n_children == 1;
    const struct ast *yes = returned(choice->children[1]);
    const struct ast *no = returned(is_last ? choice->children[2] : body->children[1]);
    if (!yes || !no || !yes->type || !no->type || yes->type->class != no->type->class)
        return;
    const struct ast *parts[] = {choice->children[0], yes, no};
    const struct ast *value = form_make(arena, AST_CONDITIONAL, choice, yes->type, 3, parts);
    const struct ast *list = form_make(arena, AST_RETURN, choice, NULL, 1, &value);
    form_change(body)->children = form_make(arena, AST_COMPOUND, body, NULL, 1, &list)->children;
    form_change(body)->n_children = 1;
}

void forms_simplify(struct ctx *ctx, struct ast_unit *unit)
{
    if (unit->is_simplified)
        return;
    unit->is_simplified = true;
    const struct word_list *all = words_of(ctx->arena, unit);
    labels_drop(ctx->arena, unit);
    for (size_t i = 0; i < unit->n_declarations; i++) {
        const struct ast *function = unit->declarations[i];
        const struct ast *body = function->kind == AST_FUNCTION ? ast_body(unit, function) : NULL;
        if (!body)
            continue;
        declarators_split(ctx->arena, body);
        structures_declare(ctx->arena, body);
        calls_open(ctx->arena, unit, words_of_function(ctx->arena, all), function, body);
    }
    for (size_t i = 0; i < unit->n_declarations; i++) {
        const struct ast *function = unit->declarations[i];
        const struct ast *body = function->kind == AST_FUNCTION ? ast_body(unit, function) : NULL;
        if (!body)
            continue;
        const struct word_list *words = words_of_function(ctx->arena, all);
        returns_join(ctx->arena, body);
        narrow_widen(ctx->arena, body);
        casts_drop(ctx->arena, body);
        complex_split(ctx->arena, unit, words, function, body);
        fields_split(ctx->arena, unit, words, function, body);
        commas_fold(ctx->arena, body);
        updates_fold(ctx->arena, unit, body);
        constants_fold(ctx->arena, unit, body);
        breaks_fold(ctx->arena, body);
        bytes_fold(ctx->arena, unit, words, function, body);
        jumps_fold(ctx->arena, unit, body);
        skips_fold(ctx->arena, unit, body);
        extremes_order(ctx, unit, body);
        members_find(ctx, words, function, body);
        nulls_find(ctx->arena, words, function, body);
        records_open(ctx->arena, body);
        counted_find(ctx->arena, body);
        lengths_find(ctx->arena, words, function, body);
        rounds_fold(ctx->arena, unit, words, function, body);
        strides_fold(ctx->arena, unit, words, function, body);
        if (wraps_fold(ctx->arena, unit, body))
            constants_fold(ctx->arena, unit, body);
        locals_declare(ctx->arena, body);
        shifted_find(ctx->arena, words, function, body);
        moving_fold(ctx->arena, unit, function, body);
        places_fold(ctx->arena, unit, body);
        written_find(ctx->arena, unit, words, function, body);
        records_find(ctx, unit, words, function, body);
    }
}
