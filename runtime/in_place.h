#ifndef TREEFORK_IN_PLACE_H
#define TREEFORK_IN_PLACE_H
/* Runs of regions whose serial code the host runs in place, where a launch would cost more. */
#include "runtime/execution.h"

#pragma GCC visibility push(hidden)

/* May the run be one as things stand: is nothing copied, and does nobody ask for a launch? */
bool treefork_may_be_in_place(const struct execution *x);
/* Is it to be one? The leaf is chosen, and the evaluation at its point. */
bool treefork_is_in_place(struct execution *x);
/* Waits until the host has all arrays, for reading and writing: IN_PLACE, or what failed. */
int treefork_hand_over(struct execution *x);

#pragma GCC visibility pop
#endif
