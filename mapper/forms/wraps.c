/* Scalars that hand a value to the next round: `for (…) { b[i] = a[i] + a[im1]; im1 = i; }`.

   In: the body of a function. Out: the loop without `im1 = i`, with `i > 0 ? i - 1 : im1` for `im1`
   above it, the value of the round before but in the first round, and `i` below it. The variable is
   set once, by a statement of the loop's own body that every round comes to, and nobody reads its
   last value. The set value is made of the iterator, of literals, of variables that the loop leaves
   alone, of names that the body declares once, and of elements of arrays that the loop does not
   write by the same name: whether it writes them by another name is tested for the new element as
   for all others. All of the loop is mapped then, or nothing that reads the variable in it. A
   variable that takes the value of another one, `im2 = im1`, comes after that. */
#include "base/vec.h"
#include "frontend/behind.h"
#include "frontend/calls.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"

/* The most nodes of a value, the nodes of the names in it included. */
enum { VALUE_NODES_MAX = 60 };

struct wraps {
    struct arena *arena;
    struct ast_unit *unit;
    const struct ast *body;          /* of the function */
    const struct ast *loop, *iterator, *start;
    int64_t step;
    const struct ast *decl;          /* the variable */
    const struct ast *set;           /* the statement that sets the variable */
    const struct ast *value;         /* that the statement sets */
    int at;                          /* the statement's number in the loop's body */
    int *left;                       /* nodes that the value may still have */
};

static bool wrap_is_number(const struct ast_type *type)
{
    return type && type_is_scalar(type) && type->class != AST_TYPE_BOOL &&
           type->class != AST_TYPE_POINTER && !type->is_volatile;
}

static bool wrap_is_local(const struct ast *decl)
{
    return decl->owner && !decl->is_static && !decl->is_extern && !decl->is_global;
}

/* --- values ----------------------------------------------------------------------------------- */

/* Does the loop write elements of the array by its own name? */
static bool array_is_stored(const struct wraps *w, const struct ast *array)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, w->arena, w->loop); n; n = ast_next(&walk)) {
        const struct ast *base = change_base(n);
        if (base && base->decl == array->decl)
            return true;
    }
    return false;
}

/* Does the loop call functions that may write what they like? */
static bool calls_others(const struct wraps *w)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, w->arena, w->loop); n; n = ast_next(&walk))
        if (n->kind == AST_CALL && !call_is_pure(n) && !call_is_mark(n))
            return true;
    return false;
}

/* A variable that the loop's body gives its one value. */
static bool is_name(const struct wraps *w, const struct ast *decl)
{
    return decl->kind == AST_VARIABLE && decl->n_children == 1 && wrap_is_number(decl->type) &&
           ast_declares(w->loop->children[3], decl) && !ast_writes(w->body, decl);
}

static bool value_is_known(const struct wraps *w, const struct ast *value);

static bool ref_is_known(const struct wraps *w, const struct ast *ref)
{
    const struct ast *decl = ref->decl;
    if (decl && decl == w->iterator)
        return true;
    if (!decl || decl == w->decl || !decl->type || decl->type->is_volatile ||
        form_hides(w->arena, decl, w->body))
        return false;
    if (is_name(w, decl))
        return value_is_known(w, decl->children[0]);
    return wrap_is_local(decl) && wrap_is_number(decl->type) && !ast_declares(w->loop, decl) &&
           !ast_may_write(w->body, w->loop, decl);
}

/* An element of a named array, which keeps it. */
static bool element_is_known(const struct wraps *w, const struct ast *index)
{
    const struct ast *at = index;
    for (; at->kind == AST_INDEX; at = at->children[0])
        if (!value_is_known(w, at->children[1]))
            return false;
    return at->kind == AST_REF && at->decl && wrap_is_number(index->type) &&
           !ast_declares(w->loop, at->decl) && !ast_writes(w->loop, at->decl) &&
           !array_is_stored(w, at) && !calls_others(w) && !form_hides(w->arena, at->decl, w->body);
}

/* Can the value of an earlier round be computed anew? */
static bool value_is_known(const struct wraps *w, const struct ast *value)
{
    if (--*w->left < 0 || value->is_part || !wrap_is_number(value->type))
        return false;
    switch (value->kind) {
    case AST_INTEGER:
    case AST_REAL:
        return true;
    case AST_REF:
        return ref_is_known(w, value);
    case AST_INDEX:
        return element_is_known(w, value);
    case AST_BINARY:
    case AST_UNARY:
    case AST_CAST:
    case AST_CONDITIONAL:
        for (int i = 0; i < value->n_children; i++)
            if (!value_is_known(w, value->children[i]))
                return false;
        return !change_target(value) && value->op != AST_OP_COMMA;
    default:
        return false;
    }
}

static bool wrap_is_known(struct wraps *w, const struct ast *value)
{
    int left = VALUE_NODES_MAX;
    w->left = &left;
    bool known = value_is_known(w, value);
    w->left = NULL;
    return known;
}

/* --- what stands in the variable's place ------------------------------------------------------ */

/* `i - 1`: the iterator so many rounds before. */
static const struct ast *iterator_before(const struct wraps *w, const struct ast *place)
{
    bool up = w->step > 0;
    return form_binary(w->arena, up ? AST_OP_SUB : AST_OP_ADD, w->iterator->type, place,
                       form_ref(w->arena, place, w->iterator),
                       form_literal(w->arena, place, w->iterator->type, up ? w->step : -w->step));
}

/* The value as a variable has it. A conversion that C makes without a word is written out: it would
   not be made in the variable's place. */
static const struct ast *value_convert(const struct wraps *w, const struct ast *place,
                                   const struct ast *value, const struct ast_type *type)
{
    if (value->kind == AST_CAST && value->is_implicit)
        value = value->children[0];
    struct ast_type *own = ARENA_NEW(w->arena, struct ast_type);
    *own = *type;
    own->text = type->canonical;
    own->is_const = false;
    struct ast *cast = form_make(w->arena, AST_CAST, place, own, 1, &value);
    cast->is_implicit = value->type->class == type->class;
    return cast;
}

/* The value in its round or in the round before, at a place. */
static const struct ast *value_at(const struct wraps *w, const struct ast *place,
                                  const struct ast *value, bool before)
{
    if (value->kind == AST_REF && value->decl == w->iterator && before)
        return iterator_before(w, place);
    if (value->kind == AST_REF && is_name(w, value->decl))
        return value_convert(w, place, value_at(w, place, value->decl->children[0], before),
                         value->decl->type);
    const struct ast **children = ARENA_ARRAY(w->arena, const struct ast *, value->n_children + 1);
    struct ast *copy = ARENA_NEW(w->arena, struct ast);
    *copy = *value;
    copy->children = children;
    for (int i = 0; i < value->n_children; i++) {
        children[i] = value_at(w, place, value->children[i], before);
        copy->is_made |= children[i]->is_made;
    }
    return copy;
}

/* `i > 0 ? value of the round before : variable` */
static void put_before(const struct wraps *w, const struct ast *ref)
{
    struct ast *own = ARENA_NEW(w->arena, struct ast);
    *own = *ref;
    const struct ast *condition =
        form_binary(w->arena, w->step > 0 ? AST_OP_GT : AST_OP_LT, w->iterator->type, ref,
                    form_ref(w->arena, ref, w->iterator), form_copy(w->arena, w->start));
    const struct ast *before = value_at(w, ref, w->value, true);
    const struct ast *value = value_convert(w, ref, before, w->decl->type);
    const struct ast *parts[] = {condition, value, own};
    const struct ast *made = form_make(w->arena, AST_CONDITIONAL, ref, ref->type, 3, parts);
    *form_change(ref) = *made;
}

static void put_now(const struct wraps *w, const struct ast *ref)
{
    *form_change(ref) = *value_convert(w, ref, value_at(w, ref, w->value, false), w->decl->type);
}

static void refs_put(const struct wraps *w, const struct ast *root, bool before)
{
    VEC(const struct ast *) refs = {0};
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, w->arena, root); n; n = ast_next(&walk))
        if (n->kind == AST_REF && n->decl == w->decl)
            vec_push(w->arena, &refs, n);
    for (size_t i = 0; i < refs.count; i++) {
        if (before)
            put_before(w, refs.at[i]);
        else
            put_now(w, refs.at[i]);
    }
}

/* --- loops ------------------------------------------------------------------------------------ */

/* The statement of the loop's own body that sets the variable, if nothing else does. */
static bool set_find(struct wraps *w)
{
    const struct ast *body = w->loop->children[3];
    w->set = NULL;
    for (w->at = 0; w->at < body->n_children && !w->set; w->at++) {
        const struct ast *n = body->children[w->at];
        if (n->kind == AST_ASSIGN && n->op == AST_OP_NONE && is_ref_to(n->children[0], w->decl) &&
            form_has_texts(n))
            w->set = n;
    }
    w->value = w->set ? w->set->children[1] : NULL;
    return w->set && !ast_mentions(w->value, w->decl) && ast_count_writes(w->loop, w->decl) == 1;
}

/* Do statements above the set read the variable, and does the header not? */
static bool is_read_above(const struct wraps *w)
{
    struct ast_walk walk;
    bool found = false;
    for (const struct ast *n = ast_first(&walk, w->arena, w->loop); n; n = ast_next(&walk))
        if (n->kind == AST_SIZEOF && n->decl && ast_mentions(n->decl, w->decl))
            return false;
    for (int i = 0; i < 3; i++)
        if (w->loop->children[i] && ast_mentions(w->loop->children[i], w->decl))
            return false;
    for (int i = 0; i < w->at - 1; i++)
        found |= ast_mentions(w->loop->children[3]->children[i], w->decl);
    return found;
}

/* Does something give the variable a value that the first round may read? */
static bool has_value(const struct wraps *w)
{
    return w->decl->kind == AST_PARAMETER || w->decl->n_children > 0 ||
           ast_count_writes(w->body, w->decl) > 1;
}

static bool has_loop(const struct ast *body)
{
    return ast_has(body, AST_FOR) || ast_has(body, AST_WHILE) || ast_has(body, AST_DO);
}

/* Where something keeps the loop on the host, what stands in it would be refused. */
static bool can_wrap(struct wraps *w)
{
    return wrap_is_local(w->decl) && wrap_is_number(w->decl->type) &&
           !ast_declares(w->loop, w->decl) && !form_hides(w->arena, w->decl, w->body) &&
           is_read_above(w) && has_value(w) &&
           !(has_loop(w->loop->children[3]) && calls_others(w)) && wrap_is_known(w, w->value) &&
           !ast_takes_address(w->body, w->decl) &&
           !ast_is_read_behind(w->body, w->loop, w->loop, w->decl);
}

static bool wrap_fold(struct wraps *w)
{
    const struct ast *body = w->loop->children[3];
    if (!set_find(w) || !can_wrap(w))
        return false;
    struct ast_moved *moved = ARENA_NEW(w->arena, struct ast_moved);
    *moved = (struct ast_moved){MOVING_ROUND, w->decl, w->loop, NULL, w->unit->moved};
    w->unit->moved = moved;
    for (int i = 0; i < body->n_children; i++)
        if (i != w->at - 1)
            refs_put(w, body->children[i], i < w->at - 1);
    form_remove(w->set);
    form_change(w->set)->name = w->decl->name;
    form_change(w->set)->integer = (int64_t)w->loop->end;
    return true;
}

/* Is it a loop that counts by a literal, each round of which comes to the end of its body? */
static bool loop_read(struct wraps *w, const struct ast *loop)
{
    const struct ast *own = header_own(loop, 0), *step = header_own(loop, 2);
    const struct ast *body = loop->children[3];
    w->loop = loop;
    w->iterator = own ? header_iterator(own, &w->start) : NULL;
    if (!w->iterator || !step || loop->is_macro || loop->is_meta || body->kind != AST_COMPOUND ||
        ast_has_own_jump(body, AST_BREAK) || ast_has_own_jump(body, AST_CONTINUE) ||
        ast_has(body, AST_RETURN))
        return false;
    w->step = header_step(step, w->iterator);
    w->decl = NULL;
    enum ast_class class = w->iterator->type->class;
    return w->step && (class == AST_TYPE_I32 || class == AST_TYPE_I64) &&
           wrap_is_local(w->iterator) &&
           !ast_writes(body, w->iterator) && !form_hides(w->arena, w->iterator, body) &&
           !ast_has(w->start, AST_INDEX) && wrap_is_known(w, w->start) &&
           !ast_mentions(w->start, w->iterator);
}

/* Other variables may take the value of one that is folded. */
static bool loop_fold(struct wraps *w, const struct ast *loop)
{
    VEC(const struct ast *) variables = {0};
    bool found = false;
    if (!loop_read(w, loop))
        return false;
    const struct ast *body = loop->children[3];
    for (int i = 0; i < body->n_children; i++) {
        const struct ast *n = body->children[i];
        if (n->kind == AST_ASSIGN && n->children[0]->kind == AST_REF)
            vec_push(w->arena, &variables, n->children[0]->decl);
    }
    for (bool changes = true; changes;) {
        changes = false;
        for (size_t i = 0; i < variables.count; i++) {
            w->decl = variables.at[i];
            changes |= wrap_fold(w);
        }
        found |= changes;
    }
    return found;
}

bool wraps_fold(struct arena *arena, struct ast_unit *unit, const struct ast *body)
{
    struct wraps w = {.arena = arena, .unit = unit, .body = body};
    struct ast_walk walk;
    bool found = false;
    if (ast_has(body, AST_LABEL) || ast_has(body, AST_SWITCH) || ast_has(body, AST_GOTO) ||
        ast_has(body, AST_INDIRECT_GOTO) || ast_has(body, AST_STATEMENT_EXPR))
        return false;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (n->kind == AST_FOR)
            found |= loop_fold(&w, n);
    return found;
}
