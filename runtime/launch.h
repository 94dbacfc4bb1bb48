#ifndef TREEFORK_LAUNCH_H
#define TREEFORK_LAUNCH_H
/* A launch on its way to a driver, whole (launch.c) or in parts (part.c). */
#include "runtime/internal.h"

#pragma GCC visibility push(hidden)

/* So many launches may wait in the driver for those before them: it keeps memory for each. */
enum { TREEFORK_IN_FLIGHT_MAX = 512 };

/* A part has so many arguments more than its launch, and one for each array where memory is no
   address. */
enum { TREEFORK_PART_VALUES = 2 };

/* A launch whose arguments have been looked up: `values` by argument, with room for those of a
   part, at most twice as many and two; `arrays` those that are buffers, in a list in their
   order. */
struct launching {
    struct treefork_device *device;
    const struct treefork_launch *launch;
    struct treefork_value *values, *arrays, **end;
};

/* After a kernel failed while it ran: the status, and LOST where contents of arrays are lost. */
int treefork_launch_spoilt(const struct launching *l, int status);

/* A scalar argument as a driver takes it; of an array the memory is missing. */
struct treefork_value treefork_value_of(const struct treefork_argument *argument);
/* Can the driver count the rows of this grid, and the blocks and threads in them? */
bool treefork_launch_is_plane(const struct treefork_device *device,
                              const struct treefork_launch *launch);

/* part.c: of a device with members. Runs the launch in parts. RUNS_WHOLE: the launch cannot be cut,
   and nothing was done, but that its list of arrays has lost those that it does not touch. */
enum { TREEFORK_RUNS_WHOLE = -1 };
int treefork_parts_run(struct launching *l, struct treefork_origin origin);

#pragma GCC visibility pop
#endif
