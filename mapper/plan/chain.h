#ifndef MAPPER_CHAIN_H
#define MAPPER_CHAIN_H
#include "mapper/plan/plan.h"

/* Steps of the host as one region of one block. */

/* The loops of the host around steps. */
struct chain_hosts {
    int n;
    const struct scop_loop *loops[LOOP_DEPTH_MAX];
};

/* chain.c: chains in place of runs of steps for which they are predicted to be faster. */
void schedule_chain(struct scop *scop, plan_list *steps);
/* The points of an axis: upper - lower + 1. */
struct affine axis_points(const struct plan_axis *axis);
/* chain.c: do the region's threads run statements alone? */
bool region_is_flat(int depth, const struct plan_region *region);

#endif
