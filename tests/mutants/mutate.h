#ifndef TESTS_MUTANTS_MUTATE_H
#define TESTS_MUTANTS_MUTATE_H
#include "ir/kernel.h"
#include <string.h>

/* Mutants of a kernel: one small defect each, as a programmer or a wrong strategy would make it.

   An operator has places, counted over the whole kernel in the order of its text (of the ends of
   statements); mutant (operator, place) is the kernel with that one place changed. Immutable
   kernels make this cheap: everything else is shared. The invariant: mutate() gives NULL behind the
   last place, and the changed statement or expression in `before` as it was. */

enum mutation {
    MUTATION_BARRIER,         /* a barrier is gone */
    MUTATION_BARRIERS,        /* two barriers are gone: (0, 1), (0, 2), (1, 2), … */
    MUTATION_BOUND_MORE,      /* the end of a loop, of an axis of a strided band, of a grid axis:
                                 one more */
    MUTATION_BOUND_LESS,
    MUTATION_START_MORE,      /* the start of a loop */
    MUTATION_START_LESS,
    MUTATION_SWAP,            /* two subscripts of one access */
    MUTATION_GUARD_DROPPED,   /* `if` without its condition */
    MUTATION_BOUNDARY,        /* a comparison of an `if` includes the boundary, or no longer does */
    MUTATION_TILE_UP,         /* a tile's place in shared memory, one element up */
    MUTATION_TILE_DOWN,
    MUTATION_STORE_DROPPED,   /* an element is not stored: fills, results, write-backs */
    MUTATION_ELEMENT_UP,      /* the last subscript of an access to a global array, one up */
    MUTATION_ELEMENT_DOWN,
    MUTATION_STEP,            /* the step of a loop: one more */
    MUTATION_BRANCHES,        /* the two branches of an `if` exchanged */
    MUTATION_WIDTH,           /* of a vector copy only the first element */
    MUTATION_COUNT
};

static const char *const mutation_names[MUTATION_COUNT] = {
    "barrier removed",    "two barriers removed",
    "bound + 1",          "bound - 1",
    "start + 1",          "start - 1",
    "subscripts swapped", "guard dropped",
    "boundary moved",     "tile offset + 1",
    "tile offset - 1",    "store dropped",
    "global element + 1", "global element - 1",
    "step + 1",           "branches exchanged",
    "vector made scalar"};

struct mutator {
    struct arena *arena;
    enum mutation mutation;
    int place, seen;          /* the place to change, places met */
    bool done;
    struct str before;
};

/* The number within `count` places met now of the one to change, -1 if it is none of them. */
static inline int mutator_hit(struct mutator *m, int count)
{
    int hit = m->place - m->seen;
    m->seen += count;
    if (hit < 0 || hit >= count)
        return -1;
    m->done = true;
    return hit;
}

static inline bool mutation_is(enum mutation mutation, enum mutation a, enum mutation b)
{
    return mutation == a || mutation == b;
}

static inline int mutation_delta(enum mutation mutation)
{
    return mutation == MUTATION_BOUND_MORE || mutation == MUTATION_START_MORE ||
                   mutation == MUTATION_TILE_UP || mutation == MUTATION_ELEMENT_UP
               ? 1
               : -1;
}

static inline const struct expr *expr_shift(struct arena *arena, const struct expr *e,
                                            int64_t delta)
{
    enum op op = delta < 0 ? OP_SUB : OP_ADD;
    return expr_cast(
        arena, e->type,
        expr_binary(arena, op, e, expr_integer(arena, e->type, delta < 0 ? -delta : delta)));
}

/* The first line of a statement. */
static inline void stmt_note(struct str *out, const struct stmt *s)
{
    struct str text = str_new(out->arena);
    stmt_print(&text, s, 0);
    size_t length = strcspn(text.text, "\n");
    while (length && strchr(" {", text.text[length - 1]))
        length--;
    str_addf(out, "%.*s", (int)length, text.text);
}

/* Pair number k of the subscripts (0, 1), (0, 2), (1, 2), … exchanged. */
static inline const struct expr *const *
subscripts_swap(struct arena *arena, const struct expr *const *from, int n, int k)
{
    const struct expr **to = ARENA_ARRAY(arena, const struct expr *, n);
    for (int i = 0; i < n; i++)
        to[i] = from[i];
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (k-- == 0) {
                to[i] = from[j];
                to[j] = from[i];
            }
    return to;
}

static inline const struct expr *const *
last_shifted(struct arena *arena, const struct expr *const *from, int n, int delta)
{
    const struct expr **to = ARENA_ARRAY(arena, const struct expr *, n);
    for (int i = 0; i < n; i++)
        to[i] = i == n - 1 ? expr_shift(arena, from[i], delta) : from[i];
    return to;
}

/* Places of an access to an array, and its subscripts changed at the one that is hit; NULL = not
   here. */
static inline const struct expr *const *access_mutate(struct mutator *m, const struct array *array,
                                                      const struct expr *const *subscripts)
{
    int n = array->n_dims, hit;
    if (m->mutation == MUTATION_SWAP)
        return (hit = mutator_hit(m, n * (n - 1) / 2)) < 0
                   ? NULL
                   : subscripts_swap(m->arena, subscripts, n, hit);
    if (mutation_is(m->mutation, MUTATION_ELEMENT_UP, MUTATION_ELEMENT_DOWN) &&
        array->space == SPACE_GLOBAL)
        return mutator_hit(m, 1) < 0
                   ? NULL
                   : last_shifted(m->arena, subscripts, n, mutation_delta(m->mutation));
    return NULL;
}

static inline const struct expr *mutate_load(void *state, const struct expr *e)
{
    struct mutator *m = state;
    const struct expr *const *changed =
        e->kind == EXPR_LOAD ? access_mutate(m, e->array, e->arguments) : NULL;
    if (!changed)
        return e;
    expr_print(&m->before, e);
    return expr_load(m->arena, e->array, changed, e->loc);
}

/* < becomes <=, and so on. */
static inline const struct expr *mutate_comparison(void *state, const struct expr *e)
{
    static const enum op other[] = {[OP_LT] = OP_LE, [OP_LE] = OP_LT, [OP_GT] = OP_GE,
                                    [OP_GE] = OP_GT, [OP_EQ] = OP_NE, [OP_NE] = OP_EQ};
    struct mutator *m = state;
    if (e->kind != EXPR_BINARY || !op_is_comparison(e->op) || mutator_hit(m, 1) < 0)
        return e;
    expr_print(&m->before, e);
    return expr_binary(m->arena, other[e->op], e->arguments[0], e->arguments[1]);
}

static inline const struct axis *axes_shift(struct arena *arena, const struct axis *from, int n,
                                            int hit, int delta)
{
    struct axis *to = ARENA_ARRAY(arena, struct axis, n);
    memcpy(to, from, (size_t)n * sizeof *to);
    to[hit].extent = expr_shift(arena, to[hit].extent, delta);
    return to;
}

static inline const struct stmt *mutate_bound(struct mutator *m, const struct stmt *s)
{
    int delta = mutation_delta(m->mutation), hit = -1;
    bool start = mutation_is(m->mutation, MUTATION_START_MORE, MUTATION_START_LESS);
    struct stmt *copy = ARENA_NEW(m->arena, struct stmt);
    *copy = *s;
    if (s->kind == STMT_FOR && (hit = mutator_hit(m, 1)) == 0) {
        copy->from = start ? expr_shift(m->arena, s->from, delta) : s->from;
        copy->to = start ? s->to : expr_shift(m->arena, s->to, delta);
    } else if (s->kind == STMT_BAND && s->strided && !start &&
               (hit = mutator_hit(m, s->n_axes)) >= 0) {
        copy->axes = axes_shift(m->arena, s->axes, s->n_axes, hit, delta);
    }
    if (hit < 0)
        return s;
    stmt_note(&m->before, s);
    if (s->n_axes > 1)
        str_addf(&m->before, ", axis %d", hit + 1);
    return copy;
}

/* A loop with a longer step, a vector copy as a scalar one. */
static inline const struct stmt *mutate_size(struct mutator *m, const struct stmt *s)
{
    bool loop = m->mutation == MUTATION_STEP;
    if (s->kind != (loop ? STMT_FOR : STMT_STORE) || (!loop && !s->width) || mutator_hit(m, 1) < 0)
        return s;
    struct stmt *copy = ARENA_NEW(m->arena, struct stmt);
    *copy = *s;
    if (loop)
        copy->step = expr_shift(m->arena, s->step, 1);
    else
        copy->width = 0;
    stmt_note(&m->before, s);
    return copy;
}

static inline const struct stmt *branches_exchange(struct mutator *m, const struct stmt *s)
{
    if (s->kind != STMT_IF || !s->children[1] || mutator_hit(m, 1) < 0)
        return s;
    stmt_note(&m->before, s);
    return stmt_if(m->arena, s->value, s->children[1], s->children[0]);
}

static inline const struct stmt *mutate_if(struct mutator *m, const struct stmt *s)
{
    if (m->mutation == MUTATION_GUARD_DROPPED) {
        if (mutator_hit(m, 1) < 0)
            return s;
        stmt_note(&m->before, s);
        return s->children[0];
    }
    const struct expr *condition = expr_rewrite(m->arena, s->value, mutate_comparison, m);
    return condition == s->value ? s : stmt_if(m->arena, condition, s->children[0], s->children[1]);
}

static inline const struct stmt *mutate_stmt(void *state, const struct stmt *s)
{
    struct mutator *m = state;
    bool drops = (m->mutation == MUTATION_BARRIER && s->kind == STMT_BARRIER) ||
                 (m->mutation == MUTATION_STORE_DROPPED && s->kind == STMT_STORE);
    if (drops) {
        if (mutator_hit(m, 1) < 0)
            return s;
        stmt_note(&m->before, s);
        return NULL;
    }
    if (m->mutation >= MUTATION_BOUND_MORE && m->mutation <= MUTATION_START_LESS)
        return mutate_bound(m, s);
    if (mutation_is(m->mutation, MUTATION_STEP, MUTATION_WIDTH))
        return mutate_size(m, s);
    if (m->mutation == MUTATION_BRANCHES)
        return branches_exchange(m, s);
    if (s->kind == STMT_IF && mutation_is(m->mutation, MUTATION_GUARD_DROPPED, MUTATION_BOUNDARY))
        return mutate_if(m, s);
    if (s->kind != STMT_STORE)
        return s;
    const struct expr *const *changed = access_mutate(m, s->array, s->indices);
    if (!changed)
        return s;
    stmt_note(&m->before, s);
    str_add(&m->before, ", where it is stored");
    struct stmt *copy = ARENA_NEW(m->arena, struct stmt);
    *copy = *s;
    copy->indices = changed;
    return copy;
}

/* One array for another, in loads and stores. */
struct exchange {
    struct arena *arena;
    const struct array *from, *to;
};

static inline const struct expr *exchange_load(void *state, const struct expr *e)
{
    const struct exchange *x = state;
    return e->kind == EXPR_LOAD && e->array == x->from
               ? expr_load(x->arena, x->to, e->arguments, e->loc)
               : e;
}

static inline const struct stmt *exchange_store(void *state, const struct stmt *s)
{
    const struct exchange *x = state;
    if (s->kind != STMT_STORE || s->array != x->from)
        return s;
    struct stmt *copy = ARENA_NEW(x->arena, struct stmt);
    *copy = *s;
    copy->array = x->to;
    return copy;
}

static inline void mutate_tiles(struct mutator *m, struct kernel *kernel)
{
    const struct array **arrays = ARENA_ARRAY(m->arena, const struct array *, kernel->n_arrays + 1);
    for (int i = 0; i < kernel->n_arrays; i++) {
        int64_t offset;
        const struct array *a = arrays[i] = kernel->arrays[i];
        bool first = a->space == SPACE_SHARED &&
                     (!a->offset || (expr_get_integer(a->offset, &offset) && offset == 0));
        if (a->space != SPACE_SHARED || (first && m->mutation == MUTATION_TILE_DOWN) ||
            mutator_hit(m, 1) < 0)
            continue;
        struct array *moved = ARENA_NEW(m->arena, struct array);
        struct exchange x = {m->arena, a, moved};
        *moved = *a;
        const struct expr *at = a->offset ? a->offset : expr_integer(m->arena, TYPE_I64, 0);
        moved->offset =
            expr_shift(m->arena, at, mutation_delta(m->mutation) * (int64_t)type_bytes(a->element));
        arrays[i] = moved;
        kernel->body = stmt_rewrite_exprs(m->arena, kernel->body, exchange_load, &x);
        kernel->body = stmt_rewrite(m->arena, kernel->body, exchange_store, &x);
        str_add(&m->before, a->name);
    }
    kernel->arrays = arrays;
}

static inline int count_barriers(const struct stmt *s)
{
    int n = s->kind == STMT_BARRIER;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            n += count_barriers(s->children[i]);
    return n;
}

/* Pair number `place` of the barriers is gone. */
static inline const struct kernel *mutate_barriers(struct arena *arena, const struct kernel *kernel,
                                                   int place, const char **before)
{
    int n = count_barriers(kernel->body);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (place-- == 0) {
                struct kernel *copy = kernel_copy(arena, kernel);
                struct mutator first = {.arena = arena, .place = i, .before = str_new(arena)},
                               second = first;
                second.place = j - 1;
                copy->body = stmt_rewrite(arena, kernel->body, mutate_stmt, &first);
                copy->body = stmt_rewrite(arena, copy->body, mutate_stmt, &second);
                *before = arena_printf(arena, "barrier %d and %d", i, j);
                return copy;
            }
    return NULL;
}

/* The kernel with place number `place` of `mutation` changed, NULL if it has no such place.
   *before: what was there. */
static inline const struct kernel *mutate(struct arena *arena, const struct kernel *kernel,
                                          enum mutation mutation, int place, const char **before)
{
    struct mutator m = {
        .arena = arena, .mutation = mutation, .place = place, .before = str_new(arena)};
    struct kernel *copy = kernel_copy(arena, kernel);
    int hit;
    if (mutation == MUTATION_BARRIERS)
        return mutate_barriers(arena, kernel, place, before);
    copy->body = stmt_rewrite(arena, kernel->body, mutate_stmt, &m);
    copy->body = stmt_rewrite_exprs(arena, copy->body, mutate_load, &m);
    if (mutation_is(mutation, MUTATION_TILE_UP, MUTATION_TILE_DOWN))
        mutate_tiles(&m, copy);
    if (mutation_is(mutation, MUTATION_BOUND_MORE, MUTATION_BOUND_LESS) &&
        (hit = mutator_hit(&m, kernel->n_grid)) >= 0) {
        copy->grid = axes_shift(arena, kernel->grid, kernel->n_grid, hit, mutation_delta(mutation));
        str_addf(&m.before, "grid %s < ", kernel->grid[hit].var->name);
        expr_print(&m.before, kernel->grid[hit].extent);
    }
    *before = m.before.text;
    return m.done ? copy : NULL;
}

#endif
