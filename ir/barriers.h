#ifndef IR_BARRIERS_H
#define IR_BARRIERS_H
#include "ir/kernel.h"

/* Rewritings of a kernel's body that keep the order of accesses. A block executes the body for one
   point of the grid after the other, so that the body's end is followed by its beginning. */

/* Without the barriers of pairs between which no memory that threads share is touched: of such
   a pair one stays. */
const struct stmt *barriers_drop_doubled(struct arena *arena, const struct stmt *body);
/* A barrier that ends the body of a loop stands at its head instead, and once more behind the loop;
   one that ends the kernel's body stands at its head. */
const struct stmt *barriers_to_heads(struct arena *arena, const struct stmt *body);

#endif
