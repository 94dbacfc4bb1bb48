/* Temporaries that vanish: arrays that none but the thread reads which stored the element.

   In: the kernels of a region, their sums in their form, and an array that nobody else reads. Out:
   the kernels without the array: a load behind a store of the same element in the same band is the
   value that was stored, kept in a local, and then the stores are not made. If a load is left that
   has no such store, the kernels stay as they are, since LLVM knows of what is stored and loaded.

   An element is the same where array and subscripts are, and no local in the subscripts was set
   between. In one band no two points touch an element that one of them writes, so that only the
   thread's own stores count: each store to the array ends what was known of it, and so does, before
   its first round, a loop that stores to it. A value that was stored in a branch or in a loop is
   not known behind that.
   Source: design, "How better leaves enter". */
#include "ir/walk.h"
#include "optimizer/strategies/rewrite.h"
#include "optimizer/strategies/strategies.h"

/* A store whose value is known. */
struct stored_value {
    const struct stmt *store;
    const struct var *var;              /* the local with the value; NULL = nobody asked for it */
    bool is_over;
};

struct forwarding {
    struct arena *arena;
    const struct array *array;          /* whose elements are forwarded */
    struct names names;
    VEC(struct stored_value *) known;
};

static bool indices_load(struct arena *arena, const struct stmt *store)
{
    struct expr_walk walk;
    for (int i = 0; i < store->array->n_dims; i++)
        for (const struct expr *e = expr_first(&walk, arena, store->indices[i]); e;
             e = expr_next(&walk))
            if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL)
                return true;
    return false;
}

/* A load of an element that was stored: the local with its value. For expr_rewrite. */
static const struct expr *load_forward(void *state, const struct expr *e)
{
    struct forwarding *f = state;
    if (e->kind != EXPR_LOAD || e->array != f->array)
        return e;
    for (size_t i = f->known.count; i-- > 0;) {
        struct stored_value *value = f->known.at[i];
        const struct stmt *s = value->store;
        if (value->is_over || e->type != s->array->element ||
            !exprs_equal(s->indices, e->arguments, s->array->n_dims))
            continue;
        if (!value->var) {
            struct var *var =
                var_new(f->arena, names_fresh(&f->names, "stored"), e->type, VAR_LOCAL);
            var->loc = s->loc;
            value->var = var;
        }
        return expr_var(f->arena, value->var);
    }
    return e;
}

static const struct expr *expr_forward(void *state, const struct expr *e)
{
    struct forwarding *f = state;
    return expr_rewrite(f->arena, e, load_forward, f);
}

/* Ends what is known of the elements that s may store to, or whose subscripts it changes. */
static void known_end(struct forwarding *f, const struct stmt *s)
{
    for (size_t i = 0; i < f->known.count; i++) {
        struct stored_value *value = f->known.at[i];
        struct expr_walk walk;
        value->is_over |= stmt_stores_to(s, value->store->array);
        for (int d = 0; d < value->store->array->n_dims; d++)
            for (const struct expr *e = expr_first(&walk, f->arena, value->store->indices[d]); e;
                 e = expr_next(&walk))
                value->is_over |= e->kind == EXPR_VAR && stmt_sets_var(s, e->var);
    }
}

static const struct stmt *stmt_forward(struct forwarding *f, const struct stmt *s);

/* The children of s, each with the values that are known before s. Behind s those are known that no
   child ends. */
static const struct stmt *children_forward(struct forwarding *f, const struct stmt *s)
{
    const struct stmt **children = ARENA_ARRAY(f->arena, const struct stmt *, s->n_children + 1);
    bool is_same = true;
    for (int i = 0; i < s->n_children; i++) {
        size_t count = f->known.count;
        bool *was_over = ARENA_ARRAY(f->arena, bool, count + 1);
        for (size_t k = 0; k < count; k++)
            was_over[k] = f->known.at[k]->is_over;
        children[i] = s->children[i] ? stmt_forward(f, s->children[i]) : NULL;
        is_same &= children[i] == s->children[i];
        f->known.count = count;
        for (size_t k = 0; k < count; k++)
            f->known.at[k]->is_over = was_over[k];
    }
    known_end(f, s);
    return is_same ? s : stmt_rebuild(f->arena, s, children);
}

/* Puts the stored value into a local, and stores that. */
static const struct stmt *store_keep(struct forwarding *f, const struct stmt *s,
                                     const struct var *var)
{
    const struct stmt *both[2] = {stmt_let(f->arena, var, s->value),
                                  stmt_store(f->arena, s->array, s->indices,
                                             expr_var(f->arena, var), s->loc)};
    return stmt_sequence(f->arena, both, 2);
}

static const struct stmt *sequence_forward(struct forwarding *f, const struct stmt *s)
{
    const struct stmt **children = ARENA_ARRAY(f->arena, const struct stmt *, s->n_children + 1);
    struct stored_value **values = ARENA_ARRAY(f->arena, struct stored_value *,
                                               s->n_children + 1);
    bool is_same = true;
    for (int i = 0; i < s->n_children; i++) {
        children[i] = stmt_forward(f, s->children[i]);
        bool is_known = children[i]->kind == STMT_STORE && children[i]->array == f->array &&
                        !indices_load(f->arena, children[i]);
        if (!is_known)
            continue;
        values[i] = ARENA_NEW(f->arena, struct stored_value);
        values[i]->store = children[i];
        vec_push(f->arena, &f->known, values[i]);
    }
    for (int i = 0; i < s->n_children; i++) {
        if (values[i] && values[i]->var)
            children[i] = store_keep(f, children[i], values[i]->var);
        is_same &= children[i] == s->children[i];
    }
    return is_same ? s : stmt_rebuild(f->arena, s, children);
}

/* s with the loads in its own expressions forwarded; s itself if there are none. */
static const struct stmt *exprs_forward(struct forwarding *f, const struct stmt *s)
{
    const struct stmt *mapped = stmt_map_exprs(f->arena, s, expr_forward, f);
    for (int i = 0; i < stmt_n_exprs(s); i++)
        if (stmt_expr(mapped, i) != stmt_expr(s, i))
            return mapped;
    return s;
}

static const struct stmt *stmt_forward(struct forwarding *f, const struct stmt *s)
{
    if (s->kind == STMT_SEQUENCE)
        return sequence_forward(f, s);
    if (s->kind == STMT_FOR || s->kind == STMT_WHILE)
        known_end(f, s);
    return children_forward(f, exprs_forward(f, s));
}

/* The bands of a kernel one by one: nothing is known at their beginning. For stmt_rewrite. */
static const struct stmt *band_forward(void *state, const struct stmt *s)
{
    struct forwarding *f = state;
    f->known.count = 0;
    return s->kind == STMT_BAND ? children_forward(f, s) : s;
}

static const struct stmt *body_forward(struct ctx *ctx, const struct kernel *kernel,
                                       const struct array *array)
{
    struct forwarding f = {.arena = ctx->arena,
                           .array = array,
                           .names = names_new(ctx->arena, kernel)};
    return stmt_rewrite(ctx->arena, kernel->body, band_forward, &f);
}

/* --- stores that nobody reads ----------------------------------------------------------------- */

static bool array_is_loaded(struct arena *arena, const struct stmt *body,
                            const struct array *array)
{
    struct stmt_walk walk;
    struct expr_walk exprs;
    for (const struct stmt *s = stmt_first(&walk, arena, body); s; s = stmt_next(&walk)) {
        if (s->kind == STMT_STORE && s->array == array && s->reduction)
            return true;
        for (const struct expr *e = stmt_first_expr(&exprs, arena, s); e; e = expr_next(&exprs))
            if (e->kind == EXPR_LOAD && e->array == array)
                return true;
    }
    return false;
}

struct unread {
    struct arena *arena;
    const struct array *array;
};

static bool is_nothing(const struct stmt *s)
{
    return !s || (s->kind == STMT_SEQUENCE && s->n_children == 0);
}

/* For stmt_rewrite. */
static const struct stmt *unread_drop(void *state, const struct stmt *s)
{
    const struct unread *unread = state;
    if (s->kind == STMT_STORE && s->array == unread->array)
        return NULL;
    bool is_around = s->kind == STMT_IF || s->kind == STMT_FOR || s->kind == STMT_BAND;
    for (int i = 0; i < s->n_children; i++)
        is_around &= is_nothing(s->children[i]);
    return is_around ? NULL : s;
}

struct kernel_parts strategy_drop_unread(struct ctx *ctx, struct kernel_parts parts,
                                         const struct array *array)
{
    struct unread unread = {ctx->arena, array};
    struct kernel_parts dropped = parts;
    if (type_bytes(array->element) < 4)
        return parts;
    for (int i = 0; i < parts.count; i++) {
        if (!stmt_uses_array(parts.at[i]->body, array))
            continue;
        struct kernel *kernel = kernel_copy(ctx->arena, parts.at[i]);
        const struct stmt *body = body_forward(ctx, kernel, array);
        if (array_is_loaded(ctx->arena, body, array))
            return parts;
        body = stmt_rewrite(ctx->arena, body, unread_drop, &unread);
        kernel->body = body_drop_unused(ctx->arena, body);
        if (!stmt_contains(kernel->body, STMT_STORE))
            return parts;
        dropped.at[i] = kernel;
    }
    return dropped;
}
