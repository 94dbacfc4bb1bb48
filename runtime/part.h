#ifndef TREEFORK_PART_H
#define TREEFORK_PART_H
/* Launches of regions on devices with members. */
#include "runtime/cut.h"

#pragma GCC visibility push(hidden)

/* How launches of a region are cut. `first_array`: the argument that is the region's first array;
   `first_launch`: the leaf's, by its number in the tables; `shares`: the members that share
   launches, unless they were dropped since; `trace`: the parts are printed, or why there are
   none. */
struct treefork_parting {
    struct treefork_evaluation *evaluation;     /* of the tables, whose rows cut each launch */
    size_t first_array, first_launch;
    struct treefork_shares shares;
    bool trace;
};

/* Launches from here on are cut so, on a device with members. */
void treefork_parting_begin(struct treefork_device *device, const struct treefork_parting *parting);
/* They run whole again, and what members have of partial arrays counts no more. */
void treefork_parting_end(struct treefork_device *device);

#pragma GCC visibility pop
#endif
