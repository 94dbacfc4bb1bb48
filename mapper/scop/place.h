#ifndef MAPPER_PLACE_H
#define MAPPER_PLACE_H
#include "mapper/scop/scop.h"

/* The place of an expression: below which loops it is read. Places are values: who reads a part of
   an expression under other terms passes a changed copy. */
struct scop_place {
    const struct scop_loop *const *loops;   /* around the expression, outermost first */
    int depth;                       /* the number of them */
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

/* Below the loops around a statement, which count its instances. */
static inline struct scop_place place_of(const struct scop_stmt *stmt)
{
    return place_below(stmt->loops, stmt->depth);
}

#endif
