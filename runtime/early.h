#ifndef TREEFORK_EARLY_H
#define TREEFORK_EARLY_H
/* Runs of regions before the process's device is opened. */
#include "runtime/execution.h"

#pragma GCC visibility push(hidden)

/* Is the serial code to run since the device is not open and would cost more to open? The arguments
   are read; a run that is early counts against what may run so. The evaluation is left at the
   machine of a CPU that nobody asked. */
bool treefork_is_early(struct execution *x);
/* Takes the time of serial code of a side (NULL: it is not measured) from what may run before the
   device is open, and says how the run is timed; false if not so much is left, or the environment
   asks for the device. The device is not open. */
bool treefork_early_take(const struct treefork_switches *switches, struct treefork_side *side,
                         double model, struct treefork_timing *timing);

#pragma GCC visibility pop
#endif
