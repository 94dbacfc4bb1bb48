/* Small launches on CPU devices. In: a run whose leaf is chosen. Out: does its serial code, which
   stands in place behind the call, run instead? Only where the device works in the host's arrays,
   so that no byte is copied for it, and where the model says that it pays (serial.h). The answer is
   remembered with choices, and by runs that repeat. While launches are in flight the run queues
   behind them, which is cheaper than waiting for them. Whoever names a leaf, a tunable or a region
   to be timed has a launch, and so has a choice that was tuned, which was measured as one.
   The invariant of region.c holds: all data is the host's when the serial code begins. */
#include "runtime/in_place.h"
#include "runtime/choice.h"
#include "runtime/serial.h"

static bool arrays_are_shared(const struct execution *x)
{
    for (size_t i = 0; i < x->region->n_arrays; i++)
        if (!treefork_may_share(x->device, x->arrays[i]))
            return false;
    return true;
}

static bool is_forbidden(const struct treefork_switches *switches)
{
    return switches->host && treefork_environment_is("TREEFORK_HOST", "never");
}

bool treefork_may_be_in_place(const struct execution *x)
{
    const struct treefork_device *device = x->device;
    return device->shares && !device->n_attached && !device->lost && !device->checked &&
           !device->watch && !x->region->checked && !x->switches.force && !x->switches.set &&
           !x->tuned && !is_forbidden(&x->switches) && arrays_are_shared(x);
}

bool treefork_is_in_place(struct execution *x)
{
    struct treefork_choosing choosing = {.region = x->region,
                                         .device = x->device,
                                         .evaluation = &x->evaluation,
                                         .automatic = x->automatic,
                                         .integers = x->integers};
    pthread_mutex_lock(&x->device->mutex);
    bool may = treefork_may_be_in_place(x), queues = x->device->in_flight > 0;
    pthread_mutex_unlock(&x->device->mutex);
    bool pays = may && treefork_choose_place(&choosing, x->leaf);
    x->queues = pays && queues;
    return pays && !queues;
}

int treefork_hand_over(struct execution *x)
{
    int status = treefork_host(x->device, NULL, TREEFORK_READ | TREEFORK_WRITE);
    return status ? status : TREEFORK_IN_PLACE;
}
