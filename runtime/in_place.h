#ifndef TREEFORK_IN_PLACE_H
#define TREEFORK_IN_PLACE_H
/* Runs of regions whose serial code the host runs in place, where a launch would cost more. */
#include "runtime/execution.h"

#pragma GCC visibility push(hidden)

/* May the run be one as things stand: is nothing copied, and does nobody ask for a launch? */
bool treefork_may_be_in_place(const struct execution *x);
/* Is it to be one? The leaf is chosen, and the evaluation at its point. The members of `x` from
   `queues` on are filled in. */
bool treefork_is_in_place(struct execution *x);
/* Waits until the host has all arrays, for reading and writing: IN_PLACE, or what failed. */
int treefork_hand_over(struct execution *x);

/* A run on the machine that stands for the host, with blocks of one thread: work that a single
   thread of a block does alone counts once there. */
struct treefork_serial_point {
    double model;               /* nanoseconds of the serial code, 0 where that is not known */
    struct treefork_side *sides[SIDES];     /* the class's; NULL where there is no memory, and for
                                               launches where there is no device */
};
struct treefork_serial_point treefork_serial_point(struct execution *x);

#pragma GCC visibility pop
#endif
