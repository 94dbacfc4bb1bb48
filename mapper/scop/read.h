#ifndef MAPPER_READ_H
#define MAPPER_READ_H
#include "mapper/scop/scop.h"

/* From the tree of C to loops, statements and accesses. */

/* A loop of a fragment, and a block that is read in its place, as it means the same. */
struct loop_other {
    const struct ast *loop, *block;
};
typedef VEC(struct loop_other) loop_others;

/* extract.c: whole only where its refusal has no text. */
struct scop *scop_read(struct ctx *ctx, struct ast_unit *unit, const struct fragment *fragment,
                       const loop_others *others);
/* tiles.c: takes a loop over tiles out of the source's nodes, if there is one that is not needed;
   then the scop is to be made anew. */
bool tiles_remove(struct scop *scop);

#endif
