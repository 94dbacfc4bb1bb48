/* Pointers that name a place in an array: `const float *row = p + y * pitch;`.

   In: the body of a function. Out: `row[x]` as `p[(long)(y * pitch) + x]`, `*(a + i)` as `a[i]`. A
   local pointer is folded away if each of its values is a place that stays where it is as long as
   the value is used: it is set by statements of blocks, all its uses stand behind one in the same
   block or below, nothing that the place is made of changes there, and all uses are elements or
   arguments of functions whose body is known. Other pointers stay as they are. The first walk finds
   which those are, the second one folds. */
#include "base/vec.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include <string.h>

/* An element of an array; offset NULL: the first one. */
struct place {
    const struct ast *base, *offset;
};

struct pointer {
    const struct ast *decl;
    bool is_bad, is_active;
    struct place place;              /* the pointer's value while the pointer is active */
    const struct ast *set;           /* the statement that set the pointer to this place */
};

struct places {
    struct arena *arena;
    const struct ast_unit *unit;
    const struct ast *body;
    bool changes;                    /* the second walk */
    int depth;                       /* loops around */
    VEC(struct pointer) pointers;
};

static struct pointer *pointer_declared(struct places *f, const struct ast *decl)
{
    for (size_t i = 0; i < f->pointers.count; i++)
        if (f->pointers.at[i].decl == decl)
            return &f->pointers.at[i];
    return NULL;
}

static struct pointer *pointer_of(struct places *f, const struct ast *ref)
{
    return ref->kind == AST_REF ? pointer_declared(f, ref->decl) : NULL;
}

static const struct ast_type *pointed_type(const struct ast *ast)
{
    return ast->type ? ast->type->element : NULL;
}

static bool is_pointer(const struct ast *ast)
{
    return ast->type && ast->type->class == AST_TYPE_POINTER;
}

/* --- values that stay ------------------------------------------------------------------------- */

/* Does the variable keep its value in the rest of a block, behind the statement at `at`? */
static bool stays_behind(struct places *f, const struct ast *decl, const struct ast *block, int at)
{
    bool steady = decl->type != NULL;
    for (int i = at + 1; i < block->n_children && steady; i++)
        steady = !ast_may_write(f->body, block->children[i], decl) &&
                 !form_hides(f->arena, decl, block->children[i]);
    return steady;
}

/* Does the value of a pointer stay the same place in the rest of the block? Such a value reads no
   memory. */
static bool value_is_steady(struct places *f, const struct ast *value, const struct ast *block,
                            int at)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, f->arena, value); n; n = ast_next(&walk)) {
        bool is_array = n->type && n->type->class == AST_TYPE_ARRAY;
        bool is_address = n->kind == AST_UNARY && n->op == AST_OP_ADDRESS;
        bool plain = n->kind == AST_REF || n->kind == AST_INTEGER || n->kind == AST_CHARACTER ||
                     n->kind == AST_SIZEOF || (n->kind == AST_BINARY && n->op != AST_OP_COMMA) ||
                     (n->kind == AST_CAST && n->is_implicit) || n->kind == AST_CONDITIONAL ||
                     (n->kind == AST_CAST && type_is_scalar(n->type)) ||
                     (n->kind == AST_UNARY && n->op <= AST_OP_NOT) || is_address ||
                     (n->kind == AST_INDEX && is_array);
        struct pointer *pointer = pointer_of(f, n);
        if (is_address && n->children[0]->kind == AST_INDEX) {
            /* The element itself is not read. */
            if (!value_is_steady(f, n->children[0]->children[0], block, at) ||
                !value_is_steady(f, n->children[0]->children[1], block, at))
                return false;
            ast_skip(&walk);
            continue;
        }
        if (!plain || is_address ||
            (n->kind == AST_REF && !(pointer && pointer->is_active) &&
             !stays_behind(f, n->decl, block, at)))
            return false;
    }
    return true;
}

/* --- places ----------------------------------------------------------------------------------- */

/* The types of elements, without qualifiers. */
static bool same_elements(const struct ast *a, const struct ast *b)
{
    const struct ast_type *first = pointed_type(a), *second = pointed_type(b);
    while (first && second && first->class == second->class && first->element) {
        first = first->element;
        second = second->element;
    }
    return first && second && !first->element && first->class == second->class &&
           first->bytes == second->bytes;
}

static bool pointer_place_read(struct places *f, const struct ast *ast, struct place *place);

/* The row `rows[q]`: of the array that the pointer `rows` leads to, if it is one that is folded. */
static bool rows_fold(struct places *f, const struct ast *row, struct place *place)
{
    struct place rows;
    const struct ast *subscript = row->children[1];
    *place = (struct place){row, NULL};
    if (!pointed_type(row) || !pointer_place_read(f, row->children[0], &rows) || !subscript->type)
        return pointed_type(row) != NULL;
    if (rows.base == ast_strip(row->children[0]))
        return true;
    const struct ast *children[] = {rows.base, form_sum(f->arena, rows.offset, subscript,
                                                        AST_OP_ADD)};
    place->base = form_make(f->arena, AST_INDEX, row, row->type, 2, children);
    return true;
}

/* The place that a pointer's expression means; false if that is not known. */
static bool pointer_place_read(struct places *f, const struct ast *ast, struct place *place)
{
    struct pointer *pointer = pointer_of(f, ast);
    ast = ast_strip(ast);
    *place = (struct place){ast, NULL};
    if (pointer && !pointer->is_bad) {
        if (f->changes && pointer->set && pointer->set->integer < (int64_t)ast->end)
            form_change(pointer->set)->integer = (int64_t)ast->end;
        place->base = form_copy(f->arena, pointer->place.base);
        place->offset = form_copy(f->arena, pointer->place.offset);
        return pointer->is_active;
    }
    if (ast->kind == AST_INDEX)
        return rows_fold(f, ast, place);
    if (ast->kind == AST_REF)
        return pointed_type(ast) != NULL;
    if (ast->kind == AST_UNARY && ast->op == AST_OP_ADDRESS &&
        ast->children[0]->kind == AST_INDEX) {
        const struct ast *index = ast->children[0];
        if (!pointer_place_read(f, index->children[0], place) || !index->children[1]->type)
            return false;
        place->offset = form_sum(f->arena, place->offset, index->children[1], AST_OP_ADD);
        return true;
    }
    bool sums = ast->kind == AST_BINARY && (ast->op == AST_OP_ADD || ast->op == AST_OP_SUB);
    int side = sums && !pointed_type(ast->children[0]) ? 1 : 0;
    if (!sums || !pointed_type(ast->children[side]) || pointed_type(ast->children[1 - side]) ||
        !pointer_place_read(f, ast->children[side], place))
        return false;
    place->offset = form_sum(f->arena, place->offset, ast->children[1 - side], ast->op);
    return true;
}

/* --- the walk --------------------------------------------------------------------------------- */

static void walk(struct places *f, const struct ast *ast);

/* The pointers below a node stay as they are. */
static void spoil(struct places *f, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, f->arena, root); n; n = ast_next(&walk)) {
        struct pointer *pointer = pointer_of(f, n);
        if (pointer)
            pointer->is_bad = true;
    }
}

/* The parts of a pointer's expression that are no pointers. */
static void walk_offsets(struct places *f, const struct ast *ast)
{
    if (ast->kind == AST_INDEX) {
        walk_offsets(f, ast->children[0]);
        walk(f, ast->children[1]);
        return;
    }
    for (int i = 0; i < ast->n_children; i++)
        if (pointed_type(ast->children[i]) || ast->children[i]->kind == AST_INDEX)
            walk_offsets(f, ast->children[i]);
        else
            walk(f, ast->children[i]);
}

static bool uses_pointer(struct places *f, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, f->arena, root); n; n = ast_next(&walk)) {
        const struct pointer *pointer = pointer_of(f, n);
        if (pointer && !pointer->is_bad)
            return true;
    }
    return false;
}

/* `p[s]`; `*p`, for which the subscript is NULL. */
static void fold_element(struct places *f, const struct ast *ast, const struct ast *subscript)
{
    struct place place;
    const struct ast *array = ast->children[0];
    if (array->kind == AST_MEMBER) {
        walk(f, array);
        walk(f, subscript);
        return;
    }
    walk_offsets(f, array);
    if (array->kind == AST_INDEX && pointed_type(array) && !is_pointer(array))
        fold_element(f, array, array->children[1]);
    if (subscript)
        walk(f, subscript);
    bool known = pointer_place_read(f, array, &place);
    bool same = subscript && place.base == array;
    if (!known) {
        spoil(f, array);
        return;
    }
    if (same || !f->changes)
        return;
    struct ast *node = form_change(ast);
    const struct ast **children = ARENA_ARRAY(f->arena, const struct ast *, 2);
    children[0] = form_copy(f->arena, place.base);
    children[1] = place.offset;
    if (subscript)
        children[1] = form_sum(f->arena, place.offset, subscript, AST_OP_ADD);
    if (!children[1])
        children[1] = form_literal(f->arena, ast, NULL, 0);
    node->integer = uses_pointer(f, array);
    node->kind = AST_INDEX;
    node->op = AST_OP_NONE;
    node->children = children;
    node->n_children = 2;
    node->is_made = true;
}

/* `f(row + 1)` as `f(p + (long)(y * pitch + 1))`, where the function's body is known. */
static void fold_argument(struct places *f, const struct ast *call, int at)
{
    struct place place;
    const struct ast *argument = call->children[at];
    walk_offsets(f, argument);
    if (!pointer_place_read(f, argument, &place)) {
        spoil(f, argument);
        return;
    }
    if (!f->changes || !uses_pointer(f, argument))
        return;
    if (!place.offset)
        place.offset = form_literal(f->arena, argument, NULL, 0);
    const struct ast **children = ARENA_ARRAY(f->arena, const struct ast *, call->n_children);
    for (int i = 0; i < call->n_children; i++)
        children[i] = call->children[i];
    children[at] = form_binary(f->arena, AST_OP_ADD, argument->type, argument, place.base,
                               place.offset);
    form_change(call)->children = children;
}

static void walk_call(struct places *f, const struct ast *call)
{
    bool known = call->decl && call->decl->has_body;
    for (int i = 0; i < call->n_children; i++)
        if (known && uses_pointer(f, call->children[i]) && pointed_type(call->children[i]))
            fold_argument(f, call, i);
        else
            walk(f, call->children[i]);
}

/* A statement of a block that gives a pointer its value. */
static void set_pointer(struct places *f, struct pointer *pointer, const struct ast *value,
                        const struct ast *block, int at)
{
    struct place place;
    walk_offsets(f, value);
    pointer->is_active = false;
    if (!value_is_steady(f, value, block, at) || !pointer_place_read(f, value, &place) ||
        !same_elements(pointer->decl, value) ||
        !f->depth) {
        pointer->is_bad = true;
        spoil(f, value);
        return;
    }
    pointer->place = place;
    pointer->set = block->children[at];
    pointer->is_active = true;
}

static bool declares_folded(struct places *f, const struct ast *variable)
{
    const struct pointer *pointer = pointer_declared(f, variable);
    return pointer && !pointer->is_bad;
}

static void walk_declare(struct places *f, const struct ast *declare, const struct ast *block,
                         int at)
{
    int kept = 0;
    const char *name = NULL;
    for (int i = 0; i < declare->n_children; i++) {
        const struct ast *variable = declare->children[i];
        struct pointer *pointer = pointer_declared(f, variable);
        if (pointer && variable->n_children)
            set_pointer(f, pointer, variable->children[0], block, at);
        else if (!pointer)
            walk(f, variable);
        kept += !declares_folded(f, variable);
        name = declares_folded(f, variable) ? variable->name : name;
    }
    if (!f->changes || kept == declare->n_children)
        return;
    form_change(declare)->name = name;
    if (!kept) {
        form_remove(declare);
        return;
    }
    const struct ast **children = ARENA_ARRAY(f->arena, const struct ast *, kept);
    int n = 0;
    for (int i = 0; i < declare->n_children; i++)
        if (!declares_folded(f, declare->children[i]))
            children[n++] = declare->children[i];
    form_change(declare)->children = children;
    form_change(declare)->n_children = kept;
    form_change(declare)->is_made = true;
}

/* `row = p + y * pitch;` as a statement; NULL for other nodes. */
static struct pointer *assigned_pointer(struct places *f, const struct ast *statement)
{
    bool sets = statement->kind == AST_ASSIGN && statement->op == AST_OP_NONE;
    return sets ? pointer_of(f, statement->children[0]) : NULL;
}

static void walk_block(struct places *f, const struct ast *block)
{
    bool *before = ARENA_ARRAY(f->arena, bool, f->pointers.count + 1);
    for (size_t i = 0; i < f->pointers.count; i++)
        before[i] = f->pointers.at[i].is_active;
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *child = block->children[i];
        struct pointer *pointer = assigned_pointer(f, child);
        if (child->kind == AST_DECLARE)
            walk_declare(f, child, block, i);
        else if (pointer && !before[pointer - f->pointers.at]) {
            pointer->is_active = false;
            set_pointer(f, pointer, child->children[1], block, i);
            if (f->changes && !pointer->is_bad) {
                form_change(child)->name = pointer->decl->name;
                form_remove(child);
            }
        } else {
            walk(f, child);
        }
    }
    for (size_t i = 0; i < f->pointers.count; i++)
        f->pointers.at[i].is_active = before[i];
}

static void walk(struct places *f, const struct ast *ast)
{
    struct pointer *pointer = ast ? pointer_of(f, ast) : NULL;
    if (!ast)
        return;
    if (pointer) {
        pointer->is_bad = true;
    } else if (ast->kind == AST_COMPOUND) {
        walk_block(f, ast);
    } else if (ast->kind == AST_INDEX) {
        fold_element(f, ast, ast->children[1]);
    } else if (ast->kind == AST_UNARY && ast->op == AST_OP_DEREFERENCE &&
               type_is_scalar(ast->type)) {
        fold_element(f, ast, NULL);
    } else if (ast->kind == AST_CALL) {
        walk_call(f, ast);
    } else {
        bool loop = ast->kind == AST_FOR || ast->kind == AST_WHILE || ast->kind == AST_DO;
        f->depth += loop;
        for (int i = 0; i < ast->n_children; i++)
            walk(f, ast->children[i]);
        f->depth -= loop;
    }
}

/* --- the pointers ----------------------------------------------------------------------------- */

static void pointers_collect(struct places *f)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, f->arena, f->body); n; n = ast_next(&walk)) {
        bool local = n->kind == AST_VARIABLE && is_pointer(n) && !n->is_static && !n->is_extern &&
                     !n->is_global && !n->type->is_volatile && !n->is_macro;
        if (local)
            vec_push(f->arena, &f->pointers, ((struct pointer){.decl = n}));
    }
    for (size_t i = 0; i < f->pointers.count; i++)
        f->pointers.at[i].is_bad = ast_takes_address(f->body, f->pointers.at[i].decl);
}

static size_t count_bad(const struct places *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->pointers.count; i++)
        n += f->pointers.at[i].is_bad;
    return n;
}

void places_fold(struct arena *arena, const struct ast_unit *unit, const struct ast *body)
{
    struct places f = {.arena = arena, .unit = unit, .body = body};
    size_t bad;
    pointers_collect(&f);
    do {
        bad = count_bad(&f);
        walk(&f, body);
    } while (count_bad(&f) != bad);
    f.changes = true;
    walk(&f, body);
}
