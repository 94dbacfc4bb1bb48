/* Structures that loops declare, as a variable for each member: `struct v t; out[i] = t.x;`.

   In: the body of a function. Out: `double t_x, t_y;` for `struct v t;`, `t_x` for `t.x`, and an
   assignment for each member in place of an assignment of whole structures, `t = p[i]`,
   `out[i] = t`, `t = (struct v){a, b}`. Such a structure has scalars alone, nobody takes its
   address, and all its uses are of these kinds. An array's element is copied by members where the
   structure has no bytes between them. All of the loop is mapped then, or nothing that uses the
   variables in it. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/calls.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"
#include <string.h>

struct fields {
    struct arena *arena;
    struct ast_unit *unit;
    struct word_list *words;
    const struct ast *function, *body;
    const struct ast *loop;          /* the outermost one around */
    struct map *variables;           /* by the structure's declaration: an array of VARIABLE, one
                                        for each member */
    struct map *good;                /* references in places that are understood */
};

static bool is_structure(const struct ast_type *type)
{
    return type && type->class == AST_TYPE_STRUCT && type->fields && !type->is_volatile;
}

/* The number of the member that a node names; -1: none. */
static int field_of(const struct ast *member)
{
    const struct ast *base = member->n_children ? member->children[0] : NULL;
    if (member->kind != AST_MEMBER || !base || !is_structure(base->type))
        return -1;
    for (int i = 0; i < base->type->n_fields; i++)
        if (!strcmp(base->type->fields[i].name, member->name))
            return i;
    return -1;
}

/* --- copies ----------------------------------------------------------------------------------- */

/* May the expression be computed several times in place of once? */
static bool is_repeatable(const struct fields *f, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, f->arena, ast); n; n = ast_next(&walk)) {
        bool plain = n->kind == AST_REF || n->kind == AST_INDEX || n->kind == AST_INTEGER ||
                     n->kind == AST_BINARY || n->kind == AST_CAST || n->kind == AST_MEMBER ||
                     (n->kind == AST_UNARY && !change_target(n));
        if (!plain || change_target(n) || n->is_part || n->is_macro)
            return false;
    }
    return true;
}

/* May an assignment of a member of the structure change what is read there? */
static bool members_may_be(const struct ast_type *structure, const struct ast *read)
{
    bool reads = read->kind == AST_INDEX || read->kind == AST_MEMBER ||
                 (read->kind == AST_UNARY && read->op == AST_OP_DEREFERENCE);
    bool is_part = read->type && read->type->class == AST_TYPE_ARRAY;
    if (!reads || is_part)
        return false;
    for (int i = 0; i < structure->n_fields; i++)
        if (types_may_meet(structure->fields[i].type, read->type))
            return true;
    return false;
}

/* Do the subscripts and pointers on the way to a structure read nothing that an assignment of its
   members might change? */
static bool place_is_steady(const struct fields *f, const struct ast *place)
{
    struct ast_walk walk;
    const struct ast_type *structure = place->type;
    while (place->kind == AST_INDEX || place->kind == AST_MEMBER) {
        int n_subscripts = place->kind == AST_INDEX ? 2 : 1;
        for (int i = 1; i < n_subscripts; i++)
            for (const struct ast *n = ast_first(&walk, f->arena, place->children[i]); n;
                 n = ast_next(&walk))
                if (members_may_be(structure, n))
                    return false;
        place = place->children[0];
        bool is_pointer = place->type && place->type->class == AST_TYPE_POINTER;
        if (is_pointer && members_may_be(structure, place))
            return false;
    }
    return place->kind == AST_REF || place->kind == AST_LITERAL;
}

/* Is it a list of values, the first ones of the members? */
static bool is_value_list(const struct ast *ast)
{
    if (ast->kind == AST_LITERAL && ast->n_children == 1)
        ast = ast->children[0];
    if (ast->kind != AST_LIST || !is_structure(ast->type) ||
        ast->n_children > ast->type->n_fields || ast->is_macro)
        return false;
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *value = ast->children[i];
        if (!value->type || !ast_class_is_scalar(value->type->class) ||
            value->kind == AST_DESIGNATED || value->kind == AST_LIST)
            return false;
    }
    return true;
}

static bool is_copied(const struct fields *f, const struct ast *value)
{
    return value && is_structure(value->type) && (is_value_list(value) || is_repeatable(f, value));
}

/* Do the members fill the structure? */
static bool is_filled(const struct ast_type *type)
{
    int64_t bytes = 0;
    for (int i = 0; i < type->n_fields; i++)
        bytes += type->fields[i].type->bytes;
    return bytes == type->bytes;
}

/* Is the statement an assignment of whole structures that can be one for each member? */
static bool copies_structure(const struct fields *f, const struct ast *n)
{
    if (n->kind != AST_ASSIGN || n->op != AST_OP_NONE || !is_structure(n->children[0]->type) ||
        !form_has_texts(n))
        return false;
    const struct ast *target = n->children[0], *value = n->children[1];
    return is_repeatable(f, target) && is_copied(f, value) &&
           (target->kind == AST_REF || (is_filled(target->type) && place_is_steady(f, target) &&
                                        place_is_steady(f, value)));
}

/* May the values of a list read what the assignment of its first ones changes? */
static bool is_mixed(const struct ast *target, const struct ast *value)
{
    return is_value_list(value) &&
           (target->kind != AST_REF || ast_mentions(value, target->decl));
}

/* --- choice of structures --------------------------------------------------------------------- */

static void good_add(const struct fields *f, const struct ast *ref)
{
    if (ref->kind == AST_REF)
        map_put_pointer(f->good, ref, (void *)ref);
}

/* The references that members, copies and declarations have. */
static void good_find(const struct fields *f, const struct ast *root, bool is_statement)
{
    if (field_of(root) >= 0)
        good_add(f, root->children[0]);
    if (is_statement && copies_structure(f, root)) {
        good_add(f, root->children[0]);
        good_add(f, root->children[1]);
    }
    if (root->kind == AST_VARIABLE && root->n_children && is_structure(root->type) &&
        is_copied(f, root->children[0]))
        good_add(f, root->children[0]);
    for (int i = 0; i < root->n_children; i++) {
        if (root->children[i])
            good_find(f, root->children[i], statement_is(root, i));
    }
}

static bool can_split(const struct fields *f, const struct ast *decl)
{
    struct ast_walk walk;
    bool good = decl->kind == AST_VARIABLE && is_structure(decl->type) && !decl->is_static &&
                !decl->is_extern && !decl->is_macro &&
                (!decl->n_children || is_copied(f, decl->children[0]));
    if (!good)
        return false;
    for (const struct ast *n = ast_first(&walk, f->arena, f->body); n; n = ast_next(&walk))
        if (n->kind == AST_REF && n->decl == decl && !map_get_pointer(f->good, n))
            return false;
    return true;
}

/* --- what stands in their places -------------------------------------------------------------- */

static const struct ast *variable_make(const struct fields *f, const struct ast *decl, int field)
{
    const struct ast_field *own = &decl->type->fields[field];
    struct ast *variable = form_make(f->arena, AST_VARIABLE, decl, own->type, 0, NULL);
    const char *name = arena_printf(f->arena, "%s_%s", decl->name, own->name);
    variable->name = words_local(f->words, name);
    variable->owner = f->function;
    variable->is_made = false;
    form_note(f->arena, f->unit, MOVING_MEMBER, f->loop, variable);
    return variable;
}

static void variables_make(const struct fields *f, const struct ast *decl)
{
    const struct ast **list = ARENA_ARRAY(f->arena, const struct ast *, decl->type->n_fields);
    for (int i = 0; i < decl->type->n_fields; i++)
        list[i] = variable_make(f, decl, i);
    map_put_pointer(f->variables, decl, list);
}

/* 0 of the member's type, as C has it behind the end of a list. */
static const struct ast *zero_make(const struct fields *f, const struct ast *place,
                                   const struct ast_type *type)
{
    struct ast_type *plain = ARENA_NEW(f->arena, struct ast_type);
    *plain = (struct ast_type){.class = AST_TYPE_I32, .text = "int", .canonical = "int",
                               .bytes = 4, .count = -1};
    const struct ast *zero = form_literal(f->arena, place, plain, 0);
    struct ast *cast = form_make(f->arena, AST_CAST, place, type, 1, &zero);
    cast->is_implicit = true;
    return cast;
}

/* The member of a variable, of a list or of an element. */
static const struct ast *member_make(const struct fields *f, const struct ast *whole, int field)
{
    const struct ast_field *own = &whole->type->fields[field];
    const struct ast *const *split = whole->kind == AST_REF
                                         ? map_get_pointer(f->variables, whole->decl) : NULL;
    if (split)
        return form_ref(f->arena, whole, split[field]);
    if (whole->kind == AST_LITERAL)
        whole = whole->children[0];
    if (whole->kind == AST_LIST)
        return field < whole->n_children && whole->children[field]->kind != AST_ZERO
                   ? whole->children[field] : zero_make(f, whole, own->type);
    return form_member(f->arena, whole, own);
}

/* `const float x = value;` before the assignments: the name. */
static const struct ast *value_declare(const struct fields *f, const struct ast *copy, int field,
                                       const struct ast **declare)
{
    const struct ast_field *own = &copy->children[0]->type->fields[field];
    const char *name = words_fresh(f->words, own->name, 0);
    *declare = form_declare(f->arena, copy, f->function, name, own->type,
                            member_make(f, copy->children[1], field));
    form_change(*declare)->end = copy->begin;
    form_note(f->arena, f->unit, MOVING_MEMBER, f->loop, (*declare)->children[0]);
    return form_ref(f->arena, copy, (*declare)->children[0]);
}

/* `{ a.x = b.x; a.y = b.y; }`: the last one has the bytes, as statements follow each other. Values
   that may read what the first assignments change are declared before these. */
static void copy_change(const struct fields *f, const struct ast *copy)
{
    const struct ast *target = copy->children[0], *value = copy->children[1];
    int n = target->type->n_fields, n_declared = is_mixed(target, value) ? n : 0;
    const struct ast **list = ARENA_ARRAY(f->arena, const struct ast *, 2 * n);
    for (int i = 0; i < n; i++) {
        const struct ast *sides[] = {member_make(f, target, i), NULL};
        sides[1] = n_declared ? value_declare(f, copy, i, &list[i]) : member_make(f, value, i);
        struct ast *assign = form_make(f->arena, AST_ASSIGN, copy, target->type->fields[i].type, 2,
                                       sides);
        assign->end = i < n - 1 ? copy->begin : copy->end;
        list[n_declared + i] = assign;
    }
    *form_change(copy) = *form_make(f->arena, AST_COMPOUND, copy, NULL, n_declared + n, list);
}

/* The member of a declared structure, with its first value. */
static const struct ast *member_declare(const struct fields *f, const struct ast *decl, int field)
{
    const struct ast *const *split = map_get_pointer(f->variables, decl);
    struct ast *variable = form_change(split[field]);
    if (!decl->n_children)
        return variable;
    const struct ast *value = member_make(f, decl->children[0], field);
    variable->children = form_make(f->arena, AST_COMPOUND, decl, NULL, 1, &value)->children;
    variable->n_children = 1;
    return variable;
}

typedef VEC(const struct ast *) statement_list;

/* A declaration of each variable; the last one gets the bytes. */
static void declare_change(const struct fields *f, const struct ast *declare, statement_list *list)
{
    statement_list variables = {0};
    for (int i = 0; i < declare->n_children; i++) {
        const struct ast *decl = declare->children[i];
        int n_fields = map_get_pointer(f->variables, decl) ? decl->type->n_fields : 0;
        for (int k = 0; k < n_fields; k++)
            vec_push(f->arena, &variables, member_declare(f, decl, k));
        if (!n_fields)
            vec_push(f->arena, &variables, decl);
    }
    for (size_t i = 0; i < variables.count; i++) {
        struct ast *own = form_make(f->arena, AST_DECLARE, declare, NULL, 1, &variables.at[i]);
        own->end = i + 1 < variables.count ? declare->begin : declare->end;
        form_change(variables.at[i])->begin = own->begin;
        form_change(variables.at[i])->end = own->end;
        vec_push(f->arena, list, own);
    }
}

static bool declares_split(const struct fields *f, const struct ast *n)
{
    bool found = false;
    int n_declared = n->kind == AST_DECLARE ? n->n_children : 0;
    for (int i = 0; i < n_declared; i++)
        found |= map_get_pointer(f->variables, n->children[i]) != NULL;
    return found;
}

static void block_change(const struct fields *f, const struct ast *block)
{
    statement_list list = {0};
    bool changes = false;
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *child = block->children[i];
        if (declares_split(f, child)) {
            declare_change(f, child, &list);
            changes = true;
        } else {
            vec_push(f->arena, &list, child);
        }
    }
    if (!changes)
        return;
    form_change(block)->children = list.at;
    form_change(block)->n_children = (int)list.count;
    form_change(block)->is_made = true;
}

static void member_change(const struct fields *f, const struct ast *member)
{
    int field = field_of(member);
    const struct ast *base = field >= 0 ? member->children[0] : NULL;
    const struct ast *const *split = base && base->kind == AST_REF
                                         ? map_get_pointer(f->variables, base->decl) : NULL;
    if (split)
        *form_change(member) = *form_ref(f->arena, member, split[field]);
}

/* A statement that ends with a copy ends behind the copy's semicolon then, as a block does. */
static void places_change(const struct fields *f, const struct ast *root, bool is_statement)
{
    if (root->kind == AST_COMPOUND)
        block_change(f, root);
    if (is_statement && copies_structure(f, root)) {
        size_t end = statement_end(f->unit, root);
        copy_change(f, root);
        form_change(root)->end = end;
    }
    member_change(f, root);
    for (int i = 0; i < root->n_children; i++) {
        const struct ast *child = root->children[i];
        if (!child)
            continue;
        places_change(f, child, statement_is(root, i));
        if (!ast_is_expression(child) && child->end > root->end)
            form_change(root)->end = child->end;
    }
}

/* --- loops ------------------------------------------------------------------------------------ */

bool loop_scales(const struct ast *loop)
{
    const struct ast *amount;
    int sign;
    const struct ast *step = loop->kind == AST_FOR ? loop->children[2] : NULL;
    const struct ast *counter = step ? ast_written(step) : NULL;
    return counter && loop->children[1] && ast_mentions(loop->children[1], counter) &&
           !header_amount(step, counter, &sign, &amount);
}

bool loop_calls_others(struct arena *arena, const struct ast *loop)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, loop); n; n = ast_next(&walk))
        if (n->kind == AST_CALL && !call_is_pure(n) && !call_is_mark(n) &&
            !(n->decl && n->decl->has_body))
            return true;
    return false;
}

bool loop_is_of_host(struct arena *arena, const struct ast_unit *unit, const struct ast *loop)
{
    if (!loop->children[3] || form_has_mark(unit, loop) || ast_has(loop, AST_RETURN) ||
        ast_has_own_jump(loop->children[3], AST_BREAK) || loop_scales(loop))
        return true;
    return loop_calls_others(arena, loop);
}

static void declared_split(const struct fields *f, const struct ast *declare)
{
    for (int i = 0; i < declare->n_children; i++)
        if (can_split(f, declare->children[i]))
            variables_make(f, declare->children[i]);
}

static void loop_change(struct fields *f, const struct ast *loop)
{
    struct ast_walk walk;
    f->loop = loop;
    for (const struct ast *n = ast_first(&walk, f->arena, loop); n; n = ast_next(&walk))
        for (int i = 0; i < n->n_children; i++)
            if (n->kind == AST_COMPOUND && n->children[i]->kind == AST_DECLARE)
                declared_split(f, n->children[i]);
    places_change(f, loop, false);
}

/* The outermost loops that may be mapped as a whole. */
static void loops_split(struct fields *f, const struct ast *root)
{
    if (root->kind == AST_FOR && !root->is_meta &&
        !loop_is_of_host(f->arena, f->unit, root)) {
        loop_change(f, root);
        return;
    }
    for (int i = 0; i < root->n_children; i++)
        if (root->children[i] && !ast_is_expression(root->children[i]) &&
            root->children[i]->kind != AST_SCHEDULE)
            loops_split(f, root->children[i]);
}

static bool has_structure(struct arena *arena, const struct ast *body)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (is_structure(n->type) && (n->kind == AST_VARIABLE || n->kind == AST_ASSIGN))
            return true;
    return false;
}

void fields_split(struct arena *arena, struct ast_unit *unit, const struct word_list *words,
                  const struct ast *function, const struct ast *body)
{
    struct fields f = {arena, unit, words_again(arena, words), function, body, NULL,
                       map_new(arena), map_new(arena)};
    if (!has_structure(arena, body) || ast_has(body, AST_LABEL) || ast_has(body, AST_SWITCH) ||
        ast_has(body, AST_STATEMENT_EXPR))
        return;
    good_find(&f, body, false);
    loops_split(&f, body);
}
