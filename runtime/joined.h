#ifndef TREEFORK_JOINED_H
#define TREEFORK_JOINED_H
/* Launches whose last block does what the next launch would do. */
#include "runtime/treefork.h"
#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Does the device order memory between blocks of a launch, so that the last block may finish what
   all have begun? CUDA does, OpenCL C 1.2 does not, whose devices tell no architecture. */
bool treefork_joins_launches(const struct treefork_machine *machine);
/* Adds the time of `more` to `sum`, as work of the last block of the same launch. */
void treefork_prediction_join(const struct treefork_machine *machine,
                              struct treefork_prediction *sum,
                              const struct treefork_prediction *more);

#pragma GCC visibility pop
#endif
