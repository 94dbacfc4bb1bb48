/* Small runs of regions that stay in place without being looked at.

   In: a region and a bound of its points and rounds, which the generated text asks about before it
   puts arguments into a list. Out: 1 where the source's loop is to run at once. A run in place that
   is looked at takes 0.2 to 2 us, in which the host computes hundreds of points.

   A region stays with at most as many points as one of its runs had that stayed in place for good
   (region.c), or before the device was open within SMALL ns by measured times (early.c). That is
   forgotten when something changes by which regions are placed: a device is opened, limited or
   chosen, choices are forgotten, a region is watched. All data has to be the host's: no device has
   had an array since the last one was given back whole, as before host code that writes them
   (`treefork_host` for all arrays). And no variable asks for traces, launches or refusals.
   The loop means what C means: arguments that a launch refuses (a negative size, arrays that
   overlap) are no matter for it, and it is what runs after a refusal. Of regions whose bits depend
   on the order of sums generated code asks only where it has a function with the bits of their
   leaves (tf_small_NAME, emit/small.c); that judges the arguments by itself, and a run that it
   leaves is looked at. */
#include "runtime/stays.h"
#include "runtime/explain.h"
#include "runtime/sides.h"
#include "runtime/treefork-tables.h"
#include <stdatomic.h>

/* A mark is an epoch and, in the last bits, points. */
enum { POINTS = 32000, POINT_BITS = 16 };

static _Atomic uint64_t epoch = 1;
static atomic_int n_away;

/* The run that this thread has asked about last. */
static _Thread_local struct {
    const struct treefork_region *region;
    double points;
} asked;

void treefork_stays_forget(void)
{
    atomic_fetch_add_explicit(&epoch, 1, memory_order_relaxed);
}

uint64_t treefork_stays_epoch(void)
{
    bool holds = !treefork_is_away() && treefork_environment_is_silent();
    return holds ? atomic_load_explicit(&epoch, memory_order_relaxed) : 0;
}

void treefork_device_leaves(struct treefork_device *device)
{
    if (device->is_away)
        return;
    device->is_away = true;
    atomic_fetch_add_explicit(&n_away, 1, memory_order_relaxed);
}

void treefork_device_is_home(struct treefork_device *device)
{
    if (!device->is_away)
        return;
    device->is_away = false;
    atomic_fetch_sub_explicit(&n_away, 1, memory_order_relaxed);
}

/* Threads that share an array order themselves, and with them what they see here. */
bool treefork_is_away(void)
{
    return atomic_load_explicit(&n_away, memory_order_relaxed) != 0;
}

static struct treefork_stay *stay_of(const struct treefork_region *region)
{
    return region->site ? __atomic_load_n(&region->site->state, __ATOMIC_ACQUIRE) : NULL;
}

/* With how many points a region stays; -1: with none. */
static double mark_points(uint64_t mark)
{
    bool is_new = mark >> POINT_BITS == atomic_load_explicit(&epoch, memory_order_relaxed);
    return is_new ? (double)(mark & ((1u << POINT_BITS) - 1)) : -1;
}

void treefork_stay_mark(const struct treefork_region *region)
{
    if (asked.region != region || !(asked.points >= 0 && asked.points <= POINTS) ||
        !treefork_region_number(region))
        return;
    struct treefork_stay *stay = stay_of(region);
    uint64_t now = atomic_load_explicit(&epoch, memory_order_relaxed);
    uint64_t mark = atomic_load_explicit(&stay->mark, memory_order_relaxed);
    uint64_t points = (uint64_t)asked.points;
    points += (double)points < asked.points;
    if (asked.points > mark_points(mark))
        atomic_store_explicit(&stay->mark, now << POINT_BITS | points, memory_order_relaxed);
}

int treefork_stays(const struct treefork_region *region, double points)
{
    if (region->layout != TREEFORK_TABLES)
        return 0;
    asked.region = region;
    asked.points = points;
    const struct treefork_stay *stay = stay_of(region);
    if (!stay || !(points >= 0) ||
        points > mark_points(atomic_load_explicit(&stay->mark, memory_order_relaxed)) ||
        !treefork_stays_epoch())
        return 0;
    treefork_timing_drop();
    return 1;
}
