#ifndef TREEFORK_EARLY_H
#define TREEFORK_EARLY_H
/* Runs of regions before the process's device is opened. */
#include "runtime/execution.h"

#pragma GCC visibility push(hidden)

/* Is the serial code to run since the device is not open and would cost more to open? The arguments
   are read; a run that is early counts against what may run so. The evaluation is left at the
   machine of a CPU that nobody asked. */
bool treefork_is_early(struct execution *x);

#pragma GCC visibility pop
#endif
