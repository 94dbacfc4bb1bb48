/* Threads that must go in step for the kernel to pay, exact: two where it stages pieces of loops,
   which spare neighbouring threads of a warp lines that one thread alone finds in its cache, and
   where threads that read neighbours have a lane of a sum each; else none. The limit is the size of
   a warp, 1 on a device that has none. */
#include "optimizer/space.h"
#include "optimizer/store.h"

enum { TOGETHER = 2 };                    /* the least number of threads that share a line */

struct counter_value counter_lockstep(struct store *store, const struct kernel *kernel)
{
    bool goes_in_step = strategy_has_pieces(kernel) || store_has_lanes(store, kernel);
    return value_constant(store, goes_in_step ? TOGETHER : 0, COUNTER_EXACT);
}

bool lockstep_concerns(const struct search_space *space)
{
    const struct kernel *kernel = space->region->kernel;
    return !space->options->golden && space_independent(space) &&
           (strategy_can_cut(space->ctx, kernel) ||
            strategy_own_threads(space->ctx, kernel) != kernel);
}
