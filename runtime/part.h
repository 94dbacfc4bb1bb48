#ifndef TREEFORK_PART_H
#define TREEFORK_PART_H
/* Launches of regions on devices with members. */
#include "runtime/cut.h"

#pragma GCC visibility push(hidden)

/* How launches of a region are cut. `first_array`: the argument that is the region's first array;
   `shares`: the members that share launches, unless they were dropped since; `trace`:
   the parts are printed, or why there are none. */
struct treefork_parting {
    struct treefork_evaluation *evaluation;     /* of the tables, whose rows cut each launch */
    size_t first_array;
    struct treefork_shares shares;
    bool trace;
};

#pragma GCC visibility pop
#endif
