#ifndef IR_WALK_H
#define IR_WALK_H
#include "ir/kernel.h"

/* Walks over statements and expressions as loops, parents before children:

       struct stmt_walk walk;
       for (const struct stmt *s = stmt_first(&walk, arena, body); s; s = stmt_next(&walk))
           n_bands += s->kind == STMT_BAND;

   A walk may be left at any time. It lives on the caller's stack and is not copied; a tree that is
   nested deeper than usual takes memory from the arena. A root of NULL has no statements and
   no expressions. */

enum { STMT_WALK_DEPTH = 24, EXPR_WALK_DEPTH = 24 };

struct stmt_walk_level {
    const struct stmt *stmt;
    int next_child;
};

struct stmt_walk {
    struct arena *arena;
    int depth;                       /* of the statement given last; the root has depth 0 */
    int capacity;
    struct stmt_walk_level *path;    /* depth + 1 entries, from the root to the statement
                                        given last */
    struct stmt_walk_level usual[STMT_WALK_DEPTH];
};

/* The root itself. */
const struct stmt *stmt_first(struct stmt_walk *walk, struct arena *arena, const struct stmt *root);
/* The statement after the one given last; NULL after the last one. */
const struct stmt *stmt_next(struct stmt_walk *walk);
/* Leaves out what stands inside the statement given last. */
void stmt_skip(struct stmt_walk *walk);

struct expr_walk {
    struct arena *arena;
    const struct expr *last;         /* given last; NULL if its operands are to be left out */
    int n_pending, capacity;
    const struct expr **pending;     /* roots of what is still to come, the next one last */
    const struct expr *usual[EXPR_WALK_DEPTH];
};

/* The root itself, then its operands from left to right. */
const struct expr *expr_first(struct expr_walk *walk, struct arena *arena, const struct expr *root);
/* The same for all expressions that stand directly in s (not in its children), in the order
   of stmt_expr. */
const struct expr *stmt_first_expr(struct expr_walk *walk, struct arena *arena,
                                   const struct stmt *s);
const struct expr *expr_next(struct expr_walk *walk);
/* Leaves out the operands of the expression given last. */
void expr_skip(struct expr_walk *walk);

/* Does the statement call a function that each device's library computes in its own way? */
bool stmt_calls_library(struct arena *arena, const struct stmt *s);

#endif
