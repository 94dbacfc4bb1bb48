#ifndef TREEFORK_STAYS_H
#define TREEFORK_STAYS_H
/* Small runs of regions that stay in place without being looked at (stays.c). */
#include "runtime/internal.h"

#pragma GCC visibility push(hidden)

/* First member of what the library keeps of a region. */
struct treefork_stay {
    _Atomic uint64_t mark;      /* of an epoch, the most points with which the region stays */
};

/* A run of the region in place, in this thread, says that smaller ones may stay. */
void treefork_stay_mark(const struct treefork_region *region);
/* From here on every region is looked at again: what decides where it runs has changed. */
void treefork_stays_forget(void);
/* The epoch, which treefork_stays_forget ends, if all that was settled in it holds without a look:
   no device has arrays, and no variable asks for anything. Else 0. */
uint64_t treefork_stays_epoch(void);

/* The device is about to have arrays of the host's, or launches that touch them. Its lock is
   held. */
void treefork_device_leaves(struct treefork_device *device);
/* The host has the newest bytes of all arrays, and may write them. The device's lock is held. */
void treefork_device_is_home(struct treefork_device *device);
/* Is there a device of this process that is not home? */
bool treefork_is_away(void);

/* Are all variables that ask for more than a region's results out of the environment, as it is now?
   (environment.c) Costs next to nothing. */
bool treefork_environment_is_silent(void);

#pragma GCC visibility pop
#endif
