#ifndef MAPPER_PLACE_H
#define MAPPER_PLACE_H
#include "base/map.h"
#include "frontend/ast.h"

/* Where an expression of a fragment is read. */

enum { CHOICES_MAX = 8 };            /* in the subscripts of one element */

/* A call whose function is being read (helper.c). */
struct scop_frame {
    const struct ast *call;
    const struct scop_frame *outer;  /* the call around; NULL: it stands in the fragment itself */
    const struct map *written;       /* the variables that the function's body assigns */
};

/* The chosen branch, remainder or lap of a `?:` or a remainder in a subscript (alternatives.c). */
struct scop_choice {
    const struct ast *ast;
    const struct scop_frame *frame;  /* the call around the choice; NULL: none */
    int taken, count;                /* from 0 */
};
struct choice_list {
    int n;
    struct scop_choice at[CHOICES_MAX];
};

/* A place is a value: who reads a part of an expression on other terms passes a changed copy.
   Readings keep their places in the scop (scop_range), so loops, frames and choices of a place live
   in the arena of the scop. */
struct scop_place {
    const struct scop_loop *const *loops;   /* around the expression, outermost first */
    int depth;                       /* the number of them */
    bool is_modular;                 /* a part of an unsigned expression: only the whole must not
                                        wrap */
    bool is_conditional;             /* below `&&`, `||` or `?:` */
    bool is_inner;                   /* in a loop that belongs to the statement */
    const struct scop_frame *frame;  /* the call in whose function it stands; NULL: none */
    struct scop_stmt *stmt;          /* whose accesses are being read; NULL: the expression is of
                                        a loop's head or a condition */
    const struct ast *index;         /* the element whose subscript is being read; NULL: none */
    struct choice_list *choices;     /* those around the expression, to which its reading adds new
                                        ones; NULL: none can be made */
};

/* Outside all loops, where values are over parameters alone. */
static inline struct scop_place place_outside(void)
{
    return (struct scop_place){0};
}

static inline struct scop_place place_below(const struct scop_loop *const *loops, int depth)
{
    return (struct scop_place){.loops = loops, .depth = depth};
}

#endif
