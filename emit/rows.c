/* Kernels whose threads are better loops, on devices without warps.

   In: a kernel and the body that is printed. Out: its band, the guard around all that the band
   does, and the interval of the last axis in which the guard holds. A compiler of a CPU device runs
   the threads of a block as a loop and vectorises it under masks where a guard cuts threads off;
   masked stores are slow, and a mask is asked for in each row, although only the first and the last
   threads of a row need one. As a loop over the interval the same body has neither (a step of
   heat_3d at n = 40 on PoCL: 72 us instead of 240).
   Taken only where nothing is lost: one plain band; no barriers, tiles; private arrays, and loops
   but short ones of literal length, only where the points of a row become lanes (emit/lanes.c).
   Invariant: the guard holds at a point if and only if the point is in the interval and what is
   left of the guard holds there; points of a plain band are independent of each other. */
#include "emit/lanes.h"
#include "ir/walk.h"
#include "optimizer/strategies/rewrite.h"

struct rows_search {
    struct arena *arena;
    struct definitions scope;       /* of the guard */
    const struct var *column;       /* the last axis */
    struct thread_rows rows;
    bool is_bounded;
    bool needs_lanes;               /* there are long loops, or arrays of a thread */
    bool fails;                     /* a condition on the last axis is none of an interval */
};

/* The plain band of a body that has nothing else but scalars before it, which become known, and
   short loops in it; NULL of others. */
static const struct stmt *sole_band(struct rows_search *search, const struct stmt *body)
{
    const struct stmt *band = NULL;
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, search->arena, body); s; s = stmt_next(&walk)) {
        bool is_band = s->kind == STMT_BAND;
        if (is_band && (band || s->strided))
            return NULL;
        bool is_outside = !band && s->kind != STMT_SEQUENCE && s->kind != STMT_LET;
        if ((is_outside && !is_band) || s->kind == STMT_BARRIER || s->width)
            return NULL;
        search->needs_lanes |= s->kind == STMT_ARRAY || lanes_loop_is_long(s);
        if (!band && s->kind == STMT_LET)
            definitions_add(&search->scope, s);
        if (is_band)
            band = s;
    }
    return band;
}

/* The guard behind the scalars of the band, which become known; NULL if there is other work. */
static const struct stmt *guard_find(struct rows_search *search, const struct stmt *s)
{
    const struct stmt *const *children = s->kind == STMT_SEQUENCE ? s->children : &s;
    int n = s->kind == STMT_SEQUENCE ? s->n_children : 1;
    const struct stmt *guard = NULL;
    for (int i = 0; i < n; i++) {
        if (guard || (children[i]->kind != STMT_LET && children[i]->kind != STMT_IF))
            return NULL;
        if (children[i]->kind == STMT_LET)
            definitions_add(&search->scope, children[i]);
        else
            guard = children[i];
    }
    return guard && !guard->children[1] ? guard : NULL;
}

/* The greater (OP_GT) or the lesser (OP_LT) of two numbers. */
static const struct expr *extreme(struct arena *arena, enum op op, const struct expr *a,
                                  const struct expr *b)
{
    return expr_select(arena, expr_binary(arena, op, a, b), a, b);
}

/* Narrows the interval by `coefficient * column + rest[0] op rest[1]`; coefficient 1 or -1. */
static void interval_narrow(struct rows_search *search, int coefficient,
                            const struct expr *const *rest, enum op op)
{
    struct arena *arena = search->arena;
    struct thread_rows *rows = &search->rows;
    const struct expr *one = expr_integer(arena, TYPE_I64, 1);
    bool rises = coefficient > 0;
    bool is_below = op == OP_LT || op == OP_LE, is_strict = op == OP_LT || op == OP_GT;
    bool is_upper = is_below == rises;
    const struct expr *at = expr_binary(arena, OP_SUB, rest[rises], rest[!rises]);
    if (is_upper != is_strict)
        at = expr_binary(arena, OP_ADD, at, one);
    if (is_upper)
        rows->to = extreme(arena, OP_LT, rows->to, at);
    else
        rows->from = extreme(arena, OP_GT, rows->from, at);
    search->is_bounded = true;
}

/* Takes a condition on the last axis into the interval; false if it is no interval's. */
static bool condition_narrows(struct rows_search *search, const struct expr *e)
{
    struct arena *arena = search->arena;
    if (e->kind != EXPR_BINARY || e->op < OP_LT || e->op > OP_GE ||
        type_is_floating(e->arguments[0]->type) || !type_is_signed(e->arguments[0]->type))
        return false;
    int c[2];
    const struct expr *rest[2];
    for (int i = 0; i < 2; i++) {
        if (!expr_split(arena, e->arguments[i], search->column, &c[i], &rest[i]))
            return false;
        rest[i] = rest[i] ? expr_cast(arena, TYPE_I64, rest[i]) : expr_integer(arena, TYPE_I64, 0);
    }
    int coefficient = c[0] - c[1];
    if (coefficient != 1 && coefficient != -1)
        return false;
    interval_narrow(search, coefficient, rest, e->op);
    return true;
}

/* Does the interval say what the conjunct of the guard says? Others are asked at each point. */
static bool conjunct_narrows(void *state, const struct expr *conjunct)
{
    struct rows_search *search = state;
    const struct expr *e = definitions_expand(&search->scope, conjunct);
    if (e && !expr_uses_var(e, search->column))
        return false;
    bool narrows = e && condition_narrows(search, e);
    search->fails |= !narrows;
    return narrows;
}

static bool has_tiles(const struct kernel *kernel)
{
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_SHARED)
            return true;
    return false;
}

struct thread_rows rows_find(struct arena *arena, const struct kernel *kernel,
                             const struct stmt *body)
{
    struct thread_rows none = {0};
    struct rows_search search = {.arena = arena, .scope = {.arena = arena, .body = body}};
    const struct stmt *band = has_tiles(kernel) ? NULL : sole_band(&search, body);
    if (!band)
        return none;
    const struct axis *last = &band->axes[band->n_axes - 1];
    const struct expr *extent = expr_cast(arena, TYPE_I64, last->extent);
    struct thread_rows *rows = &search.rows;
    search.column = last->var;
    rows->band = band;
    rows->guard = guard_find(&search, band->children[0]);
    rows->from = expr_integer(arena, TYPE_I64, 0);
    rows->to = extent;
    if (!rows->guard || last->var->type != TYPE_I32)
        return none;
    rows->left = conjuncts_left(arena, rows->guard->value, conjunct_narrows, &search);
    if (search.fails || !search.is_bounded)
        return none;
    rows->lanes = search.needs_lanes ? lanes_make(arena, kernel, rows) : NULL;
    return search.needs_lanes && !rows->lanes ? none : *rows;
}

/* --- for the model ---------------------------------------------------------------------------- */

static bool touches_array(const struct stmt *s)
{
    if (s->kind == STMT_STORE)
        return true;
    for (int i = 0; i < stmt_n_exprs(s); i++)
        if (expr_contains(stmt_expr(s, i), EXPR_LOAD))
            return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && touches_array(s->children[i]))
            return true;
    return false;
}

/* Is there a long loop in a band that touches no array? */
static bool has_bare_loop(const struct stmt *s, bool in_band)
{
    if (in_band && lanes_loop_is_long(s) && !touches_array(s))
        return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && has_bare_loop(s->children[i], in_band || s->kind == STMT_BAND))
            return true;
    return false;
}

enum treefork_loops rows_loops(struct arena *arena, const struct kernel *kernel)
{
    if (rows_find(arena, kernel, kernel->body).lanes)
        return TREEFORK_LOOPS_LANES;
    return has_bare_loop(kernel->body, false) ? TREEFORK_LOOPS_BARE : TREEFORK_LOOPS_TOLD;
}
