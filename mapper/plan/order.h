#ifndef MAPPER_ORDER_H
#define MAPPER_ORDER_H
#include "mapper/plan/plan.h"

/* Which axis is x, and what its threads touch of memory. */

/* The order of axes and the extents of blocks. */
void region_order(struct scop *scop, int depth, struct plan_region *region);
/* Lines of memory that a thread of the best block touches, of a block and of a warp. */
double region_lines(const struct scop *scop, int depth, const struct plan_region *region);
/* Sectors of 32 bytes that a thread adds to what its neighbour on x touches, over all elements that
   the member touches. */
double unit_sectors(const struct plan_region *region, const struct plan_member *member);

#endif
