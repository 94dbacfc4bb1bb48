/* Where barriers stand, with the order of accesses kept.

   A barrier orders the accesses before it and those behind it. It is superfluous if on every path
   that leads on from it another barrier, or the kernel's end, comes before the next access to
   global or shared memory: whatever it orders, that other barrier orders too. It is superfluous
   likewise if on every path that leads to it no such access follows the last barrier, or the
   kernel's start. Why both may be dropped one after the other: of the barriers between two accesses
   on a path the first pass keeps the last one, and of what it left the second pass keeps the first.
   A barrier that waits for asynchronous copies is kept: no other one does that.

   Loops may have no round, so that a path leads around every body. What a pass assumes at the head
   of a loop is first what holds behind it (before it), and "an access may come" if the body does
   not bear that out: the greatest fixed point, since there are two states. The kernel's body is
   itself a loop, over the points of the grid; nothing comes before its first round and behind its
   last one. Barriers stand at block level, where control flow is uniform, so that all threads of a
   block take the same path. */
#include "ir/barriers.h"
#include "ir/walk.h"

static bool expr_touches(struct arena *arena, const struct expr *e)
{
    struct expr_walk walk;
    for (e = expr_first(&walk, arena, e); e; e = expr_next(&walk))
        if (e->kind == EXPR_LOAD && e->array->space != SPACE_PRIVATE)
            return true;
    return false;
}

/* Does s, or anything in it, touch memory that threads share? */
static bool stmt_touches(struct arena *arena, const struct stmt *root)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, root); s; s = stmt_next(&walk)) {
        if (s->kind == STMT_STORE && s->array->space != SPACE_PRIVATE)
            return true;
        for (int i = 0; i < stmt_n_exprs(s); i++)
            if (expr_touches(arena, stmt_expr(s, i)))
                return true;
    }
    return false;
}

/* The barriers of s that another one follows are dropped. In: *followed, whether on every path
   behind s a barrier or the end comes before the next access. Out: the same of the place before s.
   NULL if nothing is left of s. */
static const struct stmt *drop_followed(struct arena *arena, const struct stmt *s, bool *followed);

static const struct stmt *drop_followed_in_branches(struct arena *arena, const struct stmt *s,
                                                    bool *followed)
{
    const struct stmt *children[2] = {NULL, NULL};
    bool then = *followed, otherwise = *followed;
    children[0] = drop_followed(arena, s->children[0], &then);
    if (s->n_children > 1)
        children[1] = drop_followed(arena, s->children[1], &otherwise);
    *followed = then && otherwise && !expr_touches(arena, s->value);
    return stmt_rebuild(arena, s, children);
}

static const struct stmt *drop_followed_in_loop(struct arena *arena, const struct stmt *s,
                                                bool *followed)
{
    bool bound_touches = expr_touches(arena, s->to), step_touches = expr_touches(arena, s->step);
    bool head = *followed && !bound_touches, before = head && !step_touches;
    const struct stmt *body = drop_followed(arena, s->children[0], &before);
    if (head && !before) {
        head = false;
        before = false;
        body = drop_followed(arena, s->children[0], &before);
    }
    *followed = head && !expr_touches(arena, s->from);
    return stmt_rebuild(arena, s, &body);
}

static const struct stmt *drop_followed(struct arena *arena, const struct stmt *s, bool *followed)
{
    switch (s->kind) {
    case STMT_BARRIER: {
        bool superfluous = *followed && !s->waits;
        *followed = true;
        return superfluous ? NULL : s;
    }
    case STMT_SEQUENCE: {
        const struct stmt **children = ARENA_ARRAY(arena, const struct stmt *, s->n_children + 1);
        for (int i = s->n_children - 1; i >= 0; i--)
            children[i] = drop_followed(arena, s->children[i], followed);
        return stmt_rebuild(arena, s, children);
    }
    case STMT_IF: return drop_followed_in_branches(arena, s, followed);
    case STMT_FOR: return drop_followed_in_loop(arena, s, followed);
    default: *followed = *followed && !stmt_touches(arena, s); return s;
    }
}

/* The barriers of s that another one precedes are dropped. In: *preceded, whether on every path to
   s no access follows the last barrier or the start. Out: the same of the place behind s. NULL if
   nothing is left of s. */
static const struct stmt *drop_preceded(struct arena *arena, const struct stmt *s, bool *preceded);

static const struct stmt *drop_preceded_in_branches(struct arena *arena, const struct stmt *s,
                                                    bool *preceded)
{
    const struct stmt *children[2] = {NULL, NULL};
    bool then = *preceded && !expr_touches(arena, s->value), otherwise = then;
    children[0] = drop_preceded(arena, s->children[0], &then);
    if (s->n_children > 1)
        children[1] = drop_preceded(arena, s->children[1], &otherwise);
    *preceded = then && otherwise;
    return stmt_rebuild(arena, s, children);
}

static const struct stmt *drop_preceded_in_loop(struct arena *arena, const struct stmt *s,
                                                bool *preceded)
{
    bool bound_touches = expr_touches(arena, s->to), step_touches = expr_touches(arena, s->step);
    bool inside = *preceded && !expr_touches(arena, s->from) && !bound_touches, end = inside;
    const struct stmt *body = drop_preceded(arena, s->children[0], &end);
    if (inside && (!end || step_touches)) {
        inside = false;
        end = false;
        body = drop_preceded(arena, s->children[0], &end);
    }
    *preceded = inside;
    return stmt_rebuild(arena, s, &body);
}

static const struct stmt *drop_preceded(struct arena *arena, const struct stmt *s, bool *preceded)
{
    switch (s->kind) {
    case STMT_BARRIER: {
        bool superfluous = *preceded && !s->waits;
        *preceded = true;
        return superfluous ? NULL : s;
    }
    case STMT_SEQUENCE: {
        const struct stmt **children = ARENA_ARRAY(arena, const struct stmt *, s->n_children + 1);
        for (int i = 0; i < s->n_children; i++)
            children[i] = drop_preceded(arena, s->children[i], preceded);
        return stmt_rebuild(arena, s, children);
    }
    case STMT_IF: return drop_preceded_in_branches(arena, s, preceded);
    case STMT_FOR: return drop_preceded_in_loop(arena, s, preceded);
    default: *preceded = *preceded && !stmt_touches(arena, s); return s;
    }
}

typedef const struct stmt *barrier_pass(struct arena *arena, const struct stmt *s, bool *state);

/* A pass over the body as the loop over the points of the grid. */
static const struct stmt *body_pass(struct arena *arena, const struct stmt *body,
                                    barrier_pass *pass)
{
    bool state = true;
    const struct stmt *result = pass(arena, body, &state);
    if (!state)
        result = pass(arena, body, &state);
    return stmt_sequence(arena, &result, 1);
}

const struct stmt *barriers_drop_doubled(struct arena *arena, const struct stmt *body)
{
    if (!stmt_contains(body, STMT_BARRIER))
        return body;
    body = body_pass(arena, body, drop_followed);
    return body_pass(arena, body, drop_preceded);
}

static bool ends_in_barrier(const struct stmt *s)
{
    while (s->kind == STMT_SEQUENCE && s->n_children > 0)
        s = s->children[s->n_children - 1];
    return s->kind == STMT_BARRIER && !s->waits;
}

/* A body that ends in a barrier, with that barrier first. */
static const struct stmt *body_turn(struct arena *arena, const struct stmt *body)
{
    int n = body->kind == STMT_SEQUENCE ? body->n_children : 1;
    const struct stmt **parts = ARENA_ARRAY(arena, const struct stmt *, n);
    parts[0] = stmt_barrier(arena);
    for (int i = 0; i + 1 < n; i++)
        parts[i + 1] = body->children[i];
    return stmt_sequence(arena, parts, n);
}

static const struct stmt *loop_turn(void *state, const struct stmt *s)
{
    struct arena *arena = state;
    if (s->kind != STMT_FOR || !ends_in_barrier(s->children[0]))
        return s;
    const struct stmt *body = body_turn(arena, s->children[0]);
    const struct stmt *parts[2] = {stmt_rebuild(arena, s, &body), stmt_barrier(arena)};
    return stmt_sequence(arena, parts, 2);
}

const struct stmt *barriers_to_heads(struct arena *arena, const struct stmt *body)
{
    if (!stmt_contains(body, STMT_BARRIER))
        return body;
    body = stmt_rewrite(arena, body, loop_turn, arena);
    return ends_in_barrier(body) ? body_turn(arena, body) : body;
}
