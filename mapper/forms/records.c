/* Arrays of structures: `z[i].im`, `image[y][x].red`, `body[i].at[k]`, `b->mass` with
   `b = &body[i]`.

   In: the body of a function. Out: such a member is an element of an array of scalars, which is the
   same memory: `z_parts[(long)i * 2 + 1]`, with `float *z_parts = (float *)z;` before a fragment
   that uses it. C lets a member be accessed by its own type. Of structures with members of several
   types the function uses those of one type alone, which may have others between them; or it only
   reads the structures, and each type has an array of its own. Two such arrays of which one is
   written would be copied over each other. In an array of several dimensions whose extents are no
   numbers, the parts are one dimension more, `z_parts[i][j][1]` with `float (*z_parts)[n][2] =
   (float (*)[n][2])z;`, where members have one type. The array of structures is a parameter, a
   global variable or a local one that is declared before all loops; its own address is not
   taken. */
#include "base/map.h"
#include "base/vec.h"
#include "frontend/header.h"
#include "frontend/text.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"
#include <string.h>

struct records {
    struct arena *arena;
    const struct ast_unit *unit;
    const struct ast *function, *body;
    struct word_list *words;
    struct map *uses;                /* of arrays of structures, by declaration: record_use */
    VEC(struct ast *) variables;     /* each with a REF to its array */
};

/* How a function uses the members of an array's structures. */
struct record_use {
    enum ast_class class;            /* of the members; VOID: of several types */
    bool is_changed;                 /* members are written, or what uses them is not known */
};

/* --- arrays of structures --------------------------------------------------------------------- */

/* The structure that the elements of an array of one or several axes are, or of what a pointer
   leads to; NULL if they are none. */
static const struct ast_type *record_of(const struct ast_type *type)
{
    const struct ast_type *element = type->element;
    while (element && element->class == AST_TYPE_ARRAY)
        element = element->element;
    return element && element->class == AST_TYPE_STRUCT ? element : NULL;
}

/* An array or pointer of structures. */
static bool leads_to_records(const struct ast *decl)
{
    bool named = decl && (decl->kind == AST_PARAMETER || decl->kind == AST_VARIABLE);
    const struct ast_type *record = named && decl->type ? record_of(decl->type) : NULL;
    return record && record->bytes > 0 && !record->has_volatile;
}

/* Is it one whose members are understood where their types are as `use` says? */
static bool is_record_array(const struct records *r, const struct ast *decl)
{
    if (!leads_to_records(decl))
        return false;
    const struct ast_type *type = decl->type, *record = record_of(type);
    const struct record_use *use = map_get_pointer(r->uses, decl);
    bool one = record->part ? record->part->class != AST_TYPE_BOOL
                            : use && (use->class != AST_TYPE_VOID || !use->is_changed);
    return one && !type->is_volatile && !record->is_volatile &&
           !ast_takes_address(r->body, decl) &&
           (decl->kind == AST_PARAMETER || decl->is_global || decl->is_made ||
            form_is_before_loops(r->arena, r->unit, r->function, r->body, decl));
}

/* --- uses ------------------------------------------------------------------------------------- */

/* The array of structures of which the expression is a part; NULL if there is none. */
static const struct ast *records_base(const struct ast *ast)
{
    for (ast = ast_strip(ast); ast->kind == AST_MEMBER || ast->kind == AST_INDEX;)
        ast = ast_strip(ast->children[0]);
    return ast->kind == AST_REF && leads_to_records(ast->decl) ? ast->decl : NULL;
}

static struct record_use *use_of(struct records *r, const struct ast *decl)
{
    struct record_use *use = map_get_pointer(r->uses, decl);
    if (use)
        return use;
    use = ARENA_NEW(r->arena, struct record_use);
    use->class = AST_TYPE_STRUCT;    /* none yet */
    map_put_pointer(r->uses, decl, use);
    return use;
}

/* Notes a member that the expression uses, or that it may change members. */
static void use_add(struct records *r, const struct ast *ast)
{
    const struct ast *base = records_base(ast), *target = change_target(ast);
    bool element = ast->kind == AST_MEMBER || ast->kind == AST_INDEX;
    if (target && records_base(target))
        use_of(r, records_base(target))->is_changed = true;
    if (ast->kind == AST_UNARY && ast->op == AST_OP_ADDRESS && records_base(ast->children[0]))
        use_of(r, records_base(ast->children[0]))->is_changed = true;
    if (!element || !base || !type_is_scalar(ast->type))
        return;
    struct record_use *use = use_of(r, base);
    if (use->class == AST_TYPE_STRUCT)
        use->class = ast->type->class;
    if (use->class != ast->type->class || use->class == AST_TYPE_BOOL)
        use->class = AST_TYPE_VOID;
    use->is_changed |= ast->type->class == AST_TYPE_BOOL;
}

static void uses_find(struct records *r)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, r->arena, r->body); n; n = ast_next(&walk))
        use_add(r, n);
}

/* --- the array of scalars -------------------------------------------------------------------- */

static const struct ast_type *pointer_type(struct records *r, const struct ast_type *type,
                                           const struct ast_type *member, bool is_several)
{
    const struct ast_type *record = record_of(type), *part = record->part ? record->part : member;
    bool is_const = record->is_const || is_several;
    struct ast_type *pointer = ARENA_NEW(r->arena, struct ast_type);
    pointer->class = AST_TYPE_POINTER;
    pointer->text = pointer->canonical =
        arena_printf(r->arena, "%s%s *", is_const ? "const " : "", part->canonical);
    pointer->is_restrict = type->is_restrict;
    pointer->bytes = sizeof(void *);
    pointer->element = part;
    pointer->count = -1;
    return pointer;
}

static struct ast *array_variable(struct records *r, const struct ast *array,
                                  const struct ast_type *member)
{
    for (size_t i = 0; i < r->variables.count; i++)
        if (r->variables.at[i]->children[0]->decl == array->decl &&
            r->variables.at[i]->type->element->class == member->class)
            return r->variables.at[i];
    const struct record_use *use = map_get_pointer(r->uses, array->decl);
    bool is_several = use && use->class == AST_TYPE_VOID;
    const char *name =
        words_variable(r->words, arena_printf(r->arena, "%s_parts", array->decl->name));
    struct ast *variable =
        form_variable(r->arena, r->function, name,
                      pointer_type(r, array->decl->type, member, is_several), array);
    vec_push(r->arena, &r->variables, variable);
    return variable;
}

void record_print(struct str *out, const struct ast_writer *writer, const struct ast *variable)
{
    const struct ast_type *type = variable->type;
    if (type->element->class == AST_TYPE_ARRAY) {
        const char *name = type->is_restrict
                               ? arena_printf(writer->arena, "restrict %s", variable->name)
                               : variable->name;
        str_addf(out, "%s = (%s)%s;\n", ast_declarator_text(writer, type, name),
                 ast_declarator_text(writer, type, ""), variable->children[0]->decl->name);
        return;
    }
    str_addf(out, "%s%s%s = (%s)%s;\n", type->text, type->is_restrict ? "restrict " : "",
             variable->name, type->text, variable->children[0]->decl->name);
}

/* --- subscripts ------------------------------------------------------------------------------ */

/* sum + subscript * parts, in 64 bits */
static const struct ast *flat_sum_add(struct records *r, const struct ast *sum,
                                      const struct ast *subscript, int64_t parts)
{
    bool is_unsigned = subscript->type->class == AST_TYPE_U64;
    const struct ast *term = form_widen(r->arena, subscript,
                                        is_unsigned ? AST_TYPE_U64 : AST_TYPE_I64, true);
    if (parts != 1)
        term = form_binary(r->arena, AST_OP_MUL, term->type, subscript, term,
                           form_literal(r->arena, subscript, NULL, parts));
    return form_sum(r->arena, sum, term, AST_OP_ADD);
}

/* The array of a member of one of its elements, the number of the part in it, and whether a folded
   pointer led to it (places.c); NULL for other expressions. */
static const struct ast *member_read(struct records *r, const struct ast *ast,
                                     const struct ast **number, bool *by_pointer)
{
    int64_t bytes = ast->type->bytes, offset = 0;
    const struct ast *sum = NULL, *place = ast;
    bool is_member = false;
    *by_pointer = false;
    for (ast = ast_strip(ast); ast->kind == AST_MEMBER || ast->kind == AST_INDEX;
         ast = ast_strip(ast->children[0])) {
        if (ast->kind == AST_MEMBER) {
            if (ast->n_children != 1 || ast->integer < 0 || ast->integer % bytes)
                return NULL;
            offset += ast->integer / bytes;
            is_member = true;
            continue;
        }
        const struct ast *subscript = ast_strip(ast->children[1]);
        bool whole = ast->type && ast->type->bytes > 0 && ast->type->bytes % bytes == 0;
        if (!whole || !ast_class_is_integer(subscript->type->class) || subscript->is_part)
            return NULL;
        int64_t parts = ast->type->bytes / bytes;
        *by_pointer |= ast->is_made && ast->integer;
        if (subscript->kind == AST_INTEGER)
            offset += subscript->integer * parts;
        else
            sum = flat_sum_add(r, sum, subscript, parts);
        const struct ast *base = ast_strip(ast->children[0]);
        bool found = base->kind == AST_REF && is_member && is_record_array(r, base->decl);
        if (found) {
            *number = form_sum(r->arena, sum, form_literal(r->arena, place, NULL, offset),
                               AST_OP_ADD);
            return base;
        }
        if (!base->type || base->type->class != AST_TYPE_ARRAY)
            return NULL;
    }
    return NULL;
}

/* --- pointers to elements -------------------------------------------------------------------- */

static bool is_arrow(struct arena *arena, const struct ast *ast, const struct ast *body)
{
    if (ast->kind != AST_MEMBER || ast->n_children != 1)
        return false;
    const struct ast *base = ast_strip(ast->children[0]), *decl = base->decl;
    return base->kind == AST_REF && !ast->is_part &&
           (decl->kind == AST_VARIABLE || decl->kind == AST_PARAMETER) &&
           decl->type->class == AST_TYPE_POINTER && leads_to_records(decl) &&
           (form_is_in_loop(arena, decl, body) || ast_writes(body, decl));
}

void records_open(struct arena *arena, const struct ast *body)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk)) {
        if (!is_arrow(arena, n, body))
            continue;
        const struct ast *pointer = ast_strip(n->children[0]);
        const struct ast *parts[] = {pointer, form_literal(arena, pointer, NULL, 0)};
        const struct ast **children = ARENA_ARRAY(arena, const struct ast *, 1);
        children[0] = form_make(arena, AST_INDEX, pointer, pointer->decl->type->element, 2, parts);
        form_change(n)->children = children;
        ast_skip(&walk);
    }
}

/* --- arrays of rows --------------------------------------------------------------------------- */

/* Have the extents of the rows the values that they had where the array was declared? */
static bool extents_stay(const struct records *r, const struct ast *decl)
{
    for (const struct ast_type *t = decl->type->element; t->class == AST_TYPE_ARRAY;
         t = t->element) {
        struct ast_walk walk;
        const struct ast *n = t->extent ? ast_first(&walk, r->arena, t->extent) : NULL;
        for (; n; n = ast_next(&walk))
            if (n->kind == AST_REF && !ast_keeps_extent(r->body, decl, n->decl))
                return false;
    }
    return true;
}

/* Is it an array of several dimensions, of structures whose members have one type? */
static bool is_row_array(const struct records *r, const struct ast *decl)
{
    return is_record_array(r, decl) && decl->type->element->class == AST_TYPE_ARRAY &&
           record_of(decl->type)->part && extents_stay(r, decl);
}

/* The rows of structures as rows with one dimension more, that of the parts. */
static const struct ast_type *rows_type(struct records *r, const struct ast_type *type)
{
    struct ast_type *rows = ARENA_NEW(r->arena, struct ast_type);
    *rows = *type;
    if (type->class == AST_TYPE_ARRAY) {
        rows->element = rows_type(r, type->element);
        return rows;
    }
    struct ast_type *part = ARENA_NEW(r->arena, struct ast_type);
    *part = *type->part;
    part->text = arena_printf(r->arena, "%s%s", type->is_const ? "const " : "", part->canonical);
    *rows = (struct ast_type){.class = AST_TYPE_ARRAY, .element = part, .bytes = type->bytes,
                              .text = "parts", .canonical = "parts",
                              .count = type->bytes / part->bytes};
    return rows;
}

static struct ast *rows_variable(struct records *r, const struct ast *array)
{
    for (size_t i = 0; i < r->variables.count; i++)
        if (r->variables.at[i]->children[0]->decl == array->decl)
            return r->variables.at[i];
    struct ast_type *pointer = ARENA_NEW(r->arena, struct ast_type);
    *pointer = (struct ast_type){.class = AST_TYPE_POINTER, .text = "rows", .canonical = "rows",
                                 .bytes = sizeof(void *), .count = -1,
                                 .is_restrict = array->decl->type->is_restrict};
    pointer->element = rows_type(r, array->decl->type->element);
    const char *name =
        words_variable(r->words, arena_printf(r->arena, "%s_parts", array->decl->name));
    struct ast *variable = form_variable(r->arena, r->function, name, pointer, array);
    vec_push(r->arena, &r->variables, variable);
    return variable;
}

/* `z_parts[i][j]` for `z[i][j]`, at the same places. */
static const struct ast *rows_element(struct records *r, const struct ast *ast)
{
    ast = ast_strip(ast);
    if (ast->kind == AST_REF) {
        struct ast *name = form_ref(r->arena, ast, rows_variable(r, ast));
        name->name = name->decl->name;
        return name;
    }
    const struct ast *base = rows_element(r, ast->children[0]);
    const struct ast *parts[] = {base, ast->children[1]};
    return form_make(r->arena, AST_INDEX, ast, base->type->element, 2, parts);
}

/* The parts of the element whose member the expression is, and the number of the part; NULL for
   other expressions. */
static const struct ast *rows_read(struct records *r, const struct ast *ast,
                                   const struct ast **number)
{
    int64_t offset = 0, bytes = ast->type->bytes;
    const struct ast *place = ast, *element = ast_strip(ast);
    for (; element->kind == AST_MEMBER; element = ast_strip(element->children[0])) {
        if (element->n_children != 1 || element->integer < 0 || element->integer % bytes)
            return NULL;
        offset += element->integer / bytes;
    }
    const struct ast *base = element;
    for (; base->kind == AST_INDEX; base = ast_strip(base->children[0]))
        if (base->is_part || !ast_class_is_integer(base->children[1]->type->class))
            return NULL;
    bool whole = base->kind == AST_REF && element->kind == AST_INDEX &&
                 element->type->class == AST_TYPE_STRUCT && place->kind == AST_MEMBER;
    if (!whole || !is_row_array(r, base->decl))
        return NULL;
    *number = form_literal(r->arena, place, form_int(r->arena), offset);
    return rows_element(r, element);
}

/* --- the walk -------------------------------------------------------------------------------- */

/* The name of the array of scalars, at the member's place. */
static const struct ast *parts_name(struct records *r, const struct ast *member,
                                 const struct ast *array)
{
    struct ast *name = form_ref(r->arena, member, array_variable(r, array, member->type));
    name->name = name->decl->name;
    return name;
}

static void arrays_find(struct records *r, const struct ast *ast)
{
    const struct ast *number = NULL, *array = NULL;
    bool by_pointer = false;
    if (!ast)
        return;
    for (int i = 0; i < ast->n_children; i++)
        arrays_find(r, ast->children[i]);
    bool element = ast->kind == AST_MEMBER || ast->kind == AST_INDEX;
    bool is_plain = element && type_is_scalar(ast->type) && !ast->is_macro && !ast->is_part;
    if (is_plain)
        array = member_read(r, ast, &number, &by_pointer);
    const struct ast *name = array ? parts_name(r, ast, array) : NULL;
    if (!array && is_plain)
        name = rows_read(r, ast, &number);
    if (!name)
        return;
    const struct ast **children = ARENA_ARRAY(r->arena, const struct ast *, 2);
    children[0] = name;
    children[1] = number;
    struct ast *node = form_change(ast);
    node->kind = AST_INDEX;
    node->children = children;
    node->n_children = 2;
    node->integer = by_pointer;
    node->is_made = true;
}

void records_find(struct ctx *ctx, const struct ast_unit *unit, const struct word_list *words,
                  const struct ast *function, const struct ast *body)
{
    struct records r = {.arena = ctx->arena, .unit = unit, .function = function, .body = body};
    r.words = words_again(ctx->arena, words);
    r.uses = map_new(ctx->arena);
    uses_find(&r);
    arrays_find(&r, body);
}
