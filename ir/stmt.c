/* Constructors of statements, questions about statement trees and rewriting of them
   (walks: ir/walk.h).

   In: parts; out: an immutable statement whose values have the type of what they are stored in.
   Sequences are flat: no child of a sequence is a sequence. Bodies of loops, bands and the first
   branch of an `if` are never NULL.

   Rewriting is bottom-up and shares whatever it does not change, so that a strategy that touches
   one band costs one path from it to the root. */
#include "ir/async.h"
#include "ir/kernel.h"
#include "ir/walk.h"

static struct stmt *stmt_new(struct arena *arena, enum stmt_kind kind)
{
    struct stmt *s = ARENA_NEW(arena, struct stmt);
    s->kind = kind;
    return s;
}

/* Room for two, so that children[1] of an `if` without else can be read as NULL. */
static void stmt_children(struct arena *arena, struct stmt *s, const struct stmt *const *children,
                          int n)
{
    const struct stmt **copy = ARENA_ARRAY(arena, const struct stmt *, n < 2 ? 2 : n);
    for (int i = 0; i < n; i++)
        copy[i] = children[i];
    s->children = copy;
    s->n_children = n;
}

const struct stmt *stmt_sequence(struct arena *arena, const struct stmt *const *children, int n)
{
    VEC(const struct stmt *) flat = {0};
    for (int i = 0; i < n; i++) {
        const struct stmt *child = children[i];
        if (child && child->kind == STMT_SEQUENCE)
            for (int k = 0; k < child->n_children; k++)
                vec_push(arena, &flat, child->children[k]);
        else if (child)
            vec_push(arena, &flat, child);
    }
    struct stmt *s = stmt_new(arena, STMT_SEQUENCE);
    stmt_children(arena, s, flat.at, (int)flat.count);
    return s;
}

static const struct stmt *body_or_empty(struct arena *arena, const struct stmt *body)
{
    return body ? body : stmt_sequence(arena, NULL, 0);
}

const struct stmt *stmt_let(struct arena *arena, const struct var *var, const struct expr *value)
{
    struct stmt *s = stmt_new(arena, STMT_LET);
    s->var = var;
    s->value = value ? expr_cast(arena, var->type, value) : NULL;
    s->loc = var->loc;
    return s;
}

const struct stmt *stmt_set(struct arena *arena, const struct var *var, const struct expr *value)
{
    struct stmt *s = stmt_new(arena, STMT_SET);
    s->var = var;
    s->value = expr_cast(arena, var->type, value);
    s->loc = value->loc;
    return s;
}

const struct stmt *stmt_array(struct arena *arena, const struct array *array)
{
    struct stmt *s = stmt_new(arena, STMT_ARRAY);
    s->array = array;
    s->loc = array->loc;
    return s;
}

const struct stmt *stmt_store(struct arena *arena, const struct array *array,
                              const struct expr *const *indices, const struct expr *value,
                              struct loc loc)
{
    struct stmt *s = stmt_new(arena, STMT_STORE);
    const struct expr **copy = ARENA_ARRAY(arena, const struct expr *, array->n_dims);
    for (int i = 0; i < array->n_dims; i++)
        copy[i] = indices[i];
    s->array = array;
    s->indices = copy;
    s->value = expr_cast(arena, array->element, value);
    s->loc = loc;
    return s;
}

const struct stmt *stmt_accumulate(struct arena *arena, const struct array *array,
                                   const struct expr *const *indices, enum reduce_op reduction,
                                   const struct expr *value, struct loc loc)
{
    struct stmt *s = (struct stmt *)stmt_store(arena, array, indices, value, loc);
    s->reduction = reduction;
    return s;
}

const struct stmt *stmt_end(struct arena *arena, const struct array *array,
                            const struct expr *const *indices, const struct expr *value,
                            enum sum_end end, struct loc loc)
{
    struct stmt *s = (struct stmt *)stmt_store(arena, array, indices, value, loc);
    s->end = end;
    return s;
}

int type_vector_width(enum type type)
{
    return type_bytes(type) == 4 || type_bytes(type) == 8 ? (int)(VECTOR_BYTES / type_bytes(type))
                                                          : 0;
}

const struct stmt *stmt_vector(struct arena *arena, const struct array *array,
                               const struct expr *const *indices, const struct expr *source,
                               struct loc loc)
{
    struct stmt *s = (struct stmt *)stmt_store(arena, array, indices, source, loc);
    s->width = type_vector_width(array->element);
    return s;
}

const struct stmt *stmt_async(struct arena *arena, const struct stmt *store)
{
    struct stmt *s = ARENA_NEW(arena, struct stmt);
    *s = *store;
    s->async = true;
    return s;
}

const struct stmt *stmt_if(struct arena *arena, const struct expr *condition,
                           const struct stmt *then, const struct stmt *otherwise)
{
    struct stmt *s = stmt_new(arena, STMT_IF);
    s->value = condition;
    s->loc = condition->loc;
    stmt_children(arena, s, (const struct stmt *const[]){body_or_empty(arena, then), otherwise},
                  otherwise ? 2 : 1);
    return s;
}

const struct stmt *stmt_for(struct arena *arena, const struct var *var, const struct expr *from,
                            const struct expr *to, const struct expr *step, const struct stmt *body)
{
    struct stmt *s = stmt_new(arena, STMT_FOR);
    s->var = var;
    s->from = expr_cast(arena, var->type, from);
    s->to = to;
    s->step = expr_cast(arena, var->type, step);
    s->loc = var->loc;
    stmt_children(arena, s, (const struct stmt *const[]){body_or_empty(arena, body)}, 1);
    return s;
}

const struct stmt *stmt_while(struct arena *arena, const struct expr *condition,
                              const struct stmt *body)
{
    struct stmt *s = stmt_new(arena, STMT_WHILE);
    s->value = condition;
    s->loc = condition->loc;
    stmt_children(arena, s, (const struct stmt *const[]){body_or_empty(arena, body)}, 1);
    return s;
}

const struct stmt *stmt_band(struct arena *arena, const struct axis *axes, int n_axes, bool strided,
                             const struct stmt *body)
{
    struct stmt *s = stmt_new(arena, STMT_BAND);
    struct axis *copy = ARENA_ARRAY(arena, struct axis, n_axes);
    for (int i = 0; i < n_axes; i++)
        copy[i] = axes[i];
    s->axes = copy;
    s->n_axes = n_axes;
    s->strided = strided;
    s->loc = n_axes ? axes[0].var->loc : loc_none();
    stmt_children(arena, s, (const struct stmt *const[]){body_or_empty(arena, body)}, 1);
    return s;
}

const struct stmt *stmt_barrier(struct arena *arena)
{
    return stmt_new(arena, STMT_BARRIER);
}

const struct stmt *stmt_pending(struct arena *arena, int pending)
{
    struct stmt *s = stmt_new(arena, STMT_BARRIER);
    s->waits = true;
    s->pending = pending;
    return s;
}

const struct stmt *stmt_last(struct arena *arena, const struct stmt *body)
{
    struct stmt *s = stmt_new(arena, STMT_LAST);
    stmt_children(arena, s, (const struct stmt *const[]){body_or_empty(arena, body)}, 1);
    return s;
}

const struct stmt *body_last(const struct stmt *body)
{
    if (body->kind == STMT_SEQUENCE && body->n_children)
        body = body->children[body->n_children - 1];
    return body->kind == STMT_LAST ? body : NULL;
}

const struct stmt *body_without_last(struct arena *arena, const struct stmt *body)
{
    if (!body_last(body))
        return body;
    int n = body->kind == STMT_SEQUENCE ? body->n_children - 1 : 0;
    return stmt_sequence(arena, body->children, n);
}

const struct stmt *stmt_rebuild(struct arena *arena, const struct stmt *s,
                                const struct stmt *const *children)
{
    if (s->kind == STMT_SEQUENCE) {
        struct stmt *sequence = (struct stmt *)stmt_sequence(arena, children, s->n_children);
        sequence->loc = s->loc;
        return sequence;
    }
    struct stmt *copy = ARENA_NEW(arena, struct stmt);
    *copy = *s;
    if (s->kind == STMT_IF) {
        bool has_else = s->n_children > 1 && children[1];
        const struct stmt *branches[2] = {body_or_empty(arena, children[0]),
                                          has_else ? children[1] : NULL};
        stmt_children(arena, copy, branches, has_else ? 2 : 1);
    } else if (s->n_children) {
        const struct stmt *body = body_or_empty(arena, children[0]);
        stmt_children(arena, copy, &body, 1);
    }
    return copy;
}

static const struct stmt *rewrite_at(struct arena *arena, const struct stmt *s,
                                     const struct stmt *(*rewrite)(void *state,
                                                                   const struct stmt *s),
                                     void *state)
{
    if (!s->n_children)
        return rewrite(state, s);
    bool changed = false;
    const struct stmt **children = ARENA_ARRAY(arena, const struct stmt *, s->n_children);
    for (int i = 0; i < s->n_children; i++) {
        children[i] = s->children[i] ? rewrite_at(arena, s->children[i], rewrite, state) : NULL;
        changed |= children[i] != s->children[i];
    }
    return rewrite(state, changed ? stmt_rebuild(arena, s, children) : s);
}

const struct stmt *stmt_rewrite(struct arena *arena, const struct stmt *s,
                                const struct stmt *(*rewrite)(void *state, const struct stmt *s),
                                void *state)
{
    return body_or_empty(arena, rewrite_at(arena, s, rewrite, state));
}

struct expr_rewriter {
    struct arena *arena;
    const struct expr *(*rewrite)(void *state, const struct expr *e);
    void *state;
    bool changed;
};

static const struct expr *apply(struct expr_rewriter *r, const struct expr *e)
{
    if (!e)
        return NULL;
    const struct expr *image = expr_rewrite(r->arena, e, r->rewrite, r->state);
    r->changed |= image != e;
    return image;
}

static const struct expr *apply_typed(struct expr_rewriter *r, enum type type, const struct expr *e)
{
    const struct expr *image = apply(r, e);
    return image ? expr_cast(r->arena, type, image) : NULL;
}

static const struct stmt *rewrite_exprs_of(void *state, const struct stmt *s)
{
    struct expr_rewriter *r = state;
    struct stmt copy = *s;
    int n_indices = s->indices ? s->array->n_dims : 0;
    const struct expr **indices = ARENA_ARRAY(r->arena, const struct expr *, n_indices);
    struct axis *axes = ARENA_ARRAY(r->arena, struct axis, s->n_axes);
    r->changed = false;
    for (int i = 0; i < n_indices; i++)
        indices[i] = apply(r, s->indices[i]);
    for (int i = 0; i < s->n_axes; i++)
        axes[i] = (struct axis){s->axes[i].var, apply(r, s->axes[i].extent)};
    copy.indices = s->indices ? indices : NULL;
    copy.axes = axes;
    if (s->kind == STMT_STORE)
        copy.value = apply_typed(r, s->array->element, s->value);
    else
        copy.value = s->var && s->value ? apply_typed(r, s->var->type, s->value)
                                        : apply(r, s->value);
    copy.to = apply(r, s->to);
    if (s->kind == STMT_FOR && s->var) {
        copy.from = apply_typed(r, s->var->type, s->from);
        copy.step = apply_typed(r, s->var->type, s->step);
    }
    if (!r->changed)
        return s;
    struct stmt *result = ARENA_NEW(r->arena, struct stmt);
    *result = copy;
    return result;
}

const struct stmt *stmt_rewrite_exprs(struct arena *arena, const struct stmt *s,
                                      const struct expr *(*rewrite)(void *state,
                                                                    const struct expr *e),
                                      void *state)
{
    struct expr_rewriter r = {arena, rewrite, state, false};
    return stmt_rewrite(arena, s, rewrite_exprs_of, &r);
}

struct replaced_vars {
    struct arena *arena;
    struct map *own;        /* variable -> the expression in its place */
};

static const struct expr *own_expr(void *state, const struct expr *e)
{
    const struct replaced_vars *replaced = state;
    const struct expr *own = e->kind == EXPR_VAR ? map_get_pointer(replaced->own, e->var) : NULL;
    return own ? own : e;
}

static const struct stmt *own_stmt(void *state, const struct stmt *s)
{
    const struct replaced_vars *replaced = state;
    const struct expr *own = s->var ? map_get_pointer(replaced->own, s->var) : NULL;
    if (!own)
        return s;
    struct stmt *copy = ARENA_NEW(replaced->arena, struct stmt);
    *copy = *s;
    copy->var = own->var;
    return copy;
}

const struct stmt *stmt_instance(struct arena *arena, const struct stmt *s, const struct var *var,
                                 const struct expr *value)
{
    struct replaced_vars replaced = {arena, map_new(arena)};
    struct stmt_walk walk;
    map_put_pointer(replaced.own, var, (void *)value);
    for (const struct stmt *in = stmt_first(&walk, arena, s); in; in = stmt_next(&walk)) {
        if (in->kind != STMT_LET && in->kind != STMT_FOR)
            continue;
        const struct var *own = var_new(arena, in->var->name, in->var->type, in->var->kind);
        map_put_pointer(replaced.own, in->var, (void *)expr_var(arena, own));
    }
    return stmt_rewrite(arena, stmt_rewrite_exprs(arena, s, own_expr, &replaced), own_stmt,
                        &replaced);
}

/* Does s itself, or a loop in it that is unrolled, copy vectors from a tile? */
static bool reads_groups(const struct stmt *s)
{
    bool reads = s->kind == STMT_STORE && s->width && vector_source(s)->space == SPACE_SHARED;
    bool enters = s->kind == STMT_SEQUENCE || (s->kind == STMT_FOR && s->unroll);
    int n = enters ? s->n_children : 0;
    for (int i = 0; i < n && !reads; i++)
        reads = reads_groups(s->children[i]);
    return reads;
}

int64_t stmt_literal_rounds(const struct stmt *loop)
{
    int64_t from, to, step;
    if (!expr_get_integer(loop->from, &from) || !expr_get_integer(loop->to, &to) ||
        !expr_get_integer(loop->step, &step) || step < 1 || to <= from || from < -INT32_MAX ||
        to > INT32_MAX)
        return 0;
    return (to - from + step - 1) / step;
}

int stmt_group_copies(const struct stmt *s)
{
    enum { ROUNDS = 8 };
    int64_t step;
    if (s->kind != STMT_FOR || s->unroll || !expr_get_integer(s->step, &step) || step < 2 ||
        ROUNDS % step || !reads_groups(s->children[0]))
        return 1;
    return (int)(ROUNDS / step);
}

static bool is_assignment(const struct stmt *s)
{
    return s->kind == STMT_LET || s->kind == STMT_SET ||
           (s->kind == STMT_STORE && !s->width && !s->reduction);
}

/* Words of four bytes that an evaluation loads from memory; *globals counts the loads from global
   memory. */
static int loaded_words(const struct expr *e, int *globals)
{
    bool is_load = e->kind == EXPR_LOAD && e->array->space != SPACE_PRIVATE;
    int words = is_load ? ((int)type_bytes(e->type) + 3) / 4 : 0;
    *globals += is_load && e->array->space == SPACE_GLOBAL;
    for (int i = 0; i < e->n_arguments; i++)
        words += loaded_words(e->arguments[i], globals);
    return words;
}

int stmt_small_copies(const struct stmt *s, int pressure)
{
    enum { ASSIGNMENTS = 3, COPIES = 4, WORDS = 16 };
    const struct stmt *body = s->kind == STMT_FOR && !s->unroll ? s->children[0] : NULL;
    bool is_list = body && body->kind == STMT_SEQUENCE;
    const struct stmt *const *list = is_list ? body->children : &body;
    int n = is_list ? body->n_children : body != NULL, loads = 0, words = 0;
    bool stores = false;
    for (int i = 0; i < n; i++) {
        if (!is_assignment(list[i]))
            return 1;
        stores |= list[i]->kind == STMT_STORE;
        words += list[i]->value ? loaded_words(list[i]->value, &loads) : 0;
    }
    if (!loads || n > ASSIGNMENTS || pressure >= 2)
        return 1;
    bool is_sum = loads == 1 && !stores && pressure == 0;
    return is_sum && WORDS / words > COPIES ? WORDS / words : COPIES;
}

int stmt_n_exprs(const struct stmt *s)
{
    int n = s->indices ? s->array->n_dims : 0;
    n += s->value != NULL;
    n += s->from != NULL;
    n += s->to != NULL;
    n += s->step != NULL;
    return n + s->n_axes;
}

const struct expr *stmt_expr(const struct stmt *s, int i)
{
    const struct expr *const parts[] = {s->value, s->from, s->to, s->step};
    if (s->indices && i < s->array->n_dims)
        return s->indices[i];
    if (s->indices)
        i -= s->array->n_dims;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (!parts[k])
            continue;
        if (i == 0)
            return parts[k];
        i--;
    }
    return s->axes[i].extent;
}

static bool expr_holds(const struct expr *e, const struct expr *node)
{
    if (e == node)
        return true;
    for (int i = 0; i < e->n_arguments; i++)
        if (expr_holds(e->arguments[i], node))
            return true;
    return false;
}

bool stmt_holds_expr(const struct stmt *s, const struct expr *node)
{
    for (int i = 0; i < stmt_n_exprs(s); i++)
        if (expr_holds(stmt_expr(s, i), node))
            return true;
    return false;
}

bool stmt_contains(const struct stmt *s, enum stmt_kind kind)
{
    if (s->kind == kind)
        return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && stmt_contains(s->children[i], kind))
            return true;
    return false;
}

bool stmt_is_rolled(const struct stmt *s)
{
    return s->kind == STMT_WHILE || (s->kind == STMT_FOR && !s->unroll);
}

bool stmt_has_rolled_loop(const struct stmt *s)
{
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] &&
            (stmt_is_rolled(s->children[i]) || stmt_has_rolled_loop(s->children[i])))
            return true;
    return false;
}

const struct stmt *stmt_sole(const struct stmt *s)
{
    while (s && s->kind == STMT_SEQUENCE && s->n_children == 1)
        s = s->children[0];
    return s;
}

bool stmt_has_loop(const struct stmt *s)
{
    return stmt_contains(s, STMT_FOR) || stmt_contains(s, STMT_WHILE);
}

bool stmt_sets_var(const struct stmt *s, const struct var *var)
{
    if (s->kind == STMT_SET && s->var == var)
        return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && stmt_sets_var(s->children[i], var))
            return true;
    return false;
}

bool stmt_gives_value(const struct stmt *s, const struct var *var)
{
    if (s->var == var)
        return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && stmt_gives_value(s->children[i], var))
            return true;
    return false;
}

bool stmt_uses_var(const struct stmt *s, const struct var *var)
{
    for (int i = 0; i < stmt_n_exprs(s); i++)
        if (expr_uses_var(stmt_expr(s, i), var))
            return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && stmt_uses_var(s->children[i], var))
            return true;
    return false;
}

bool stmt_stores_to(const struct stmt *s, const struct array *array)
{
    if (s->kind == STMT_STORE && s->array == array)
        return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && stmt_stores_to(s->children[i], array))
            return true;
    return false;
}

bool stmt_has_end(const struct stmt *s)
{
    bool found = s->kind == STMT_STORE && s->end;
    for (int i = 0; i < s->n_children && !found; i++)
        found = s->children[i] && stmt_has_end(s->children[i]);
    return found;
}

enum reduce_op stmt_accumulates_in(const struct stmt *s, const struct array *array)
{
    enum reduce_op found = s->kind == STMT_STORE && s->array == array ? s->reduction : REDUCE_NONE;
    for (int i = 0; i < s->n_children && !found; i++)
        found = s->children[i] ? stmt_accumulates_in(s->children[i], array) : REDUCE_NONE;
    return found;
}

bool stmt_loads_from(const struct stmt *s, const struct array *array)
{
    for (int i = 0; i < stmt_n_exprs(s); i++)
        if (expr_uses_array(stmt_expr(s, i), array))
            return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && stmt_loads_from(s->children[i], array))
            return true;
    return false;
}

bool stmt_uses_array(const struct stmt *s, const struct array *array)
{
    return stmt_stores_to(s, array) || stmt_loads_from(s, array);
}

unsigned stmt_source_line(const struct source *source, const struct stmt *s)
{
    unsigned line = source_line_of(source, s->loc);
    return line || !s->value ? line : source_line_of(source, s->value->loc);
}
