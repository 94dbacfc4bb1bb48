/* Walks over statements and expressions.

   A walk over statements keeps the path from its root to the statement given last, and for each
   statement of the path which child comes next. A walk over expressions keeps what is still to
   come: the operands of the expression given last are put there, the last one first, when the next
   expression is asked for, so that they can be left out until then. */
#include "ir/walk.h"
#include "ir/function.h"
#include <string.h>

static void path_push(struct stmt_walk *walk, const struct stmt *s)
{
    walk->depth++;
    if (walk->depth == walk->capacity) {
        struct stmt_walk_level *longer =
            ARENA_ARRAY(walk->arena, struct stmt_walk_level, 2 * walk->capacity);
        memcpy(longer, walk->path, (size_t)walk->capacity * sizeof *longer);
        walk->path = longer;
        walk->capacity *= 2;
    }
    walk->path[walk->depth] = (struct stmt_walk_level){s, 0};
}

const struct stmt *stmt_first(struct stmt_walk *walk, struct arena *arena, const struct stmt *root)
{
    walk->arena = arena;
    walk->depth = -1;
    walk->capacity = STMT_WALK_DEPTH;
    walk->path = walk->usual;
    if (root)
        path_push(walk, root);
    return root;
}

const struct stmt *stmt_next(struct stmt_walk *walk)
{
    while (walk->depth >= 0) {
        struct stmt_walk_level *level = &walk->path[walk->depth];
        if (level->next_child == level->stmt->n_children) {
            walk->depth--;
            continue;
        }
        const struct stmt *child = level->stmt->children[level->next_child++];
        if (child) {
            path_push(walk, child);
            return child;
        }
    }
    return NULL;
}

void stmt_skip(struct stmt_walk *walk)
{
    struct stmt_walk_level *level = &walk->path[walk->depth];
    level->next_child = level->stmt->n_children;
}

static void pending_push(struct expr_walk *walk, const struct expr *e)
{
    if (walk->n_pending == walk->capacity) {
        const struct expr **longer =
            ARENA_ARRAY(walk->arena, const struct expr *, 2 * walk->capacity);
        memcpy(longer, walk->pending, (size_t)walk->capacity * sizeof *longer);
        walk->pending = longer;
        walk->capacity *= 2;
    }
    walk->pending[walk->n_pending++] = e;
}

static void expr_walk_start(struct expr_walk *walk, struct arena *arena)
{
    walk->arena = arena;
    walk->last = NULL;
    walk->n_pending = 0;
    walk->capacity = EXPR_WALK_DEPTH;
    walk->pending = walk->usual;
}

const struct expr *expr_first(struct expr_walk *walk, struct arena *arena, const struct expr *root)
{
    expr_walk_start(walk, arena);
    if (root)
        pending_push(walk, root);
    return expr_next(walk);
}

const struct expr *stmt_first_expr(struct expr_walk *walk, struct arena *arena,
                                   const struct stmt *s)
{
    expr_walk_start(walk, arena);
    for (int i = stmt_n_exprs(s); i-- > 0;)
        pending_push(walk, stmt_expr(s, i));
    return expr_next(walk);
}

const struct expr *expr_next(struct expr_walk *walk)
{
    if (walk->last)
        for (int i = walk->last->n_arguments; i-- > 0;)
            pending_push(walk, walk->last->arguments[i]);
    walk->last = walk->n_pending ? walk->pending[--walk->n_pending] : NULL;
    return walk->last;
}

void expr_skip(struct expr_walk *walk)
{
    walk->last = NULL;
}

/* --- questions -------------------------------------------------------------------------------- */

bool stmt_calls_library(struct arena *arena, const struct stmt *body)
{
    struct stmt_walk stmts;
    struct expr_walk exprs;
    for (const struct stmt *s = stmt_first(&stmts, arena, body); s; s = stmt_next(&stmts))
        for (const struct expr *e = stmt_first_expr(&exprs, arena, s); e; e = expr_next(&exprs))
            if (e->kind == EXPR_CALL && function_find(e->function)->is_of_library)
                return true;
    return false;
}
