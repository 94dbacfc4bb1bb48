/* Regions that run before the process has opened its device. In: a run whose arguments are read.
   Out: does its serial code run in place? Opening a device means loading a driver and all that it
   links, some 20 ms of PoCL's and more of CUDA's: that is all of what a program takes which calls
   a small function once. So serial code runs until what the model says of it (serial.c) has come
   to the cost of opening; no program takes more than twice what the better way would have taken,
   as far as the model is right. Nobody has asked the host for its clock: the machine is that of
   host.def, so that every process decides alike.
   An open device, or a variable that asks for launches, ends this; then region.c goes on as ever,
   with all data the host's. */
#include "runtime/early.h"
#include "runtime/sectors.h"
#include "runtime/serial.h"
#include <stdatomic.h>
#include <string.h>

/* Nanoseconds of serial code that have run so, of all threads. */
static _Atomic int64_t early_spent;

static struct treefork_machine host_machine;
static pthread_once_t host_once = PTHREAD_ONCE_INIT;

static void host_machine_make(void)
{
    treefork_machine_clear(&host_machine, "host");
    treefork_machine_host(&host_machine);
}

/* Does a variable ask for the device as such? */
static bool asks_for_device(const struct treefork_switches *switches)
{
    return switches->trace || switches->explain || switches->force || switches->set ||
           switches->device ||
           (switches->host && treefork_environment_is("TREEFORK_HOST", "never"));
}

/* Takes the time, and what finding it out took, from what is left; false if that is less. */
static bool early_take(double serial)
{
    int64_t spent = atomic_load_explicit(&early_spent, memory_order_relaxed);
    if (serial <= 0 || serial + EARLY > (double)(OPENING - spent))
        return false;
    atomic_fetch_add_explicit(&early_spent, (int64_t)serial + EARLY, memory_order_relaxed);
    return true;
}

/* Blocks of one thread: what a single thread of a block does alone counts once then. */
static void tunables_least(struct execution *x)
{
    for (size_t i = 0; i < x->region->n_tunables; i++)
        x->integers[x->region->parameters[x->region->tunables[i].parameter].integer] = 1;
}

/* Nanoseconds of the region's serial code, 0 where that is not known. */
static double early_serial(struct execution *x)
{
    int leaf = x->region->select(&host_machine, x->integers, NULL);
    const struct treefork_leaf_row *row = leaf > 0 ? treefork_leaf_find(x->region, leaf) : NULL;
    if (!row)
        return 0;
    treefork_evaluation_set(&x->evaluation, &host_machine, x->integers);
    return treefork_evaluation_serial(&x->evaluation, row);
}

bool treefork_is_early(struct execution *x)
{
    if (x->region->checked || treefork_default_is_asked() || asks_for_device(&x->switches))
        return false;
    pthread_once(&host_once, host_machine_make);
    tunables_least(x);
    double serial = early_serial(x);
    memcpy(x->integers, x->given, x->region->n_integers * sizeof *x->integers);
    return early_take(serial);
}
