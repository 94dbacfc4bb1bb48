/* Regions that run before the process has opened its device. In: a run whose arguments are read.
   Out: does its serial code run in place? Opening a device means loading a driver and all that it
   links, some 20 ms of PoCL's and more of CUDA's: that is all of what a program takes which calls a
   small function once. So serial code runs until it has taken as long as opening takes; no program
   takes more than twice what the better way would have taken. The model gives the time of a run
   (serial.c), corrected by the times of earlier runs of its class; when the run ends its own time
   takes that place (sides.h). The first run of a class counts UNTIMED percent of the model's time,
   which errs upwards. With TREEFORK_HOST=model nothing is timed, so that every process decides
   alike: the machine is that of host.def, since nobody has asked the host for its clock. An open
   device, or a variable that asks for launches, ends this; then region.c goes on as ever, with all
   data the host's. */
#include "runtime/early.h"
#include "runtime/in_place.h"
#include "runtime/sectors.h"
#include "runtime/serial.h"
#include "runtime/stays.h"
#include "runtime/treefork-tables.h"
#include <stdatomic.h>

/* Nanoseconds of serial code that is not worth a look. */
enum { SMALL = 2000 };

/* Nanoseconds of serial code that have run so, of all threads. */
static _Atomic int64_t early_spent;

/* Does a variable ask for the device as such? */
static bool asks_for_device(const struct treefork_switches *switches)
{
    return switches->any || switches->device ||
           (switches->host && treefork_host_is(TREEFORK_HOST_NEVER));
}

/* Takes the time, and what finding it out took, from what is left; false if that is less. */
static bool early_may(double serial)
{
    int64_t spent = atomic_load_explicit(&early_spent, memory_order_relaxed);
    if (serial <= 0 || serial + EARLY > (double)(OPENING - spent))
        return false;
    atomic_fetch_add_explicit(&early_spent, (int64_t)serial + EARLY, memory_order_relaxed);
    return true;
}

/* Nanoseconds to expect of a run that is timed. */
static double early_expect(const struct treefork_side *side, double model)
{
    double known = treefork_side_time(side, model);
    return known > 0 ? known : model * UNTIMED / 100;
}

bool treefork_early_take(const struct treefork_switches *switches, struct treefork_side *side,
                         double model, struct treefork_timing *timing)
{
    if (asks_for_device(switches))
        return false;
    bool is_timed = side && model > 0 && !switches->host;
    double serial = is_timed ? early_expect(side, model) : model;
    if (!early_may(serial))
        return false;
    if (is_timed)
        *timing = (struct treefork_timing){.side = side,
                                           .model = model,
                                           .account = &early_spent,
                                           .reserved = (int64_t)serial};
    return true;
}

/* Small runs, by measured times, need no account. */
static void early_mark(const struct execution *x, const struct treefork_timing *timing)
{
    double known = timing->side ? treefork_side_time(timing->side, timing->model) : 0;
    if (known > 0 && known <= SMALL && !x->switches.any)
        treefork_stay_mark(x->region);
}

bool treefork_is_early(struct execution *x)
{
    if (x->region->checked || treefork_default_is_asked() || asks_for_device(&x->switches))
        return false;
    struct treefork_serial_point point = treefork_serial_point(x);
    bool is_early = treefork_early_take(&x->switches, point.sides[SIDE_IS_SERIAL], point.model,
                                        &x->timing);
    if (is_early)
        early_mark(x, &x->timing);
    return is_early;
}

int treefork_threads_now(void)
{
    const struct treefork_switches switches = treefork_switches_now();
    bool is_early = !treefork_default_is_asked() && !asks_for_device(&switches) &&
                    atomic_load_explicit(&early_spent, memory_order_relaxed) < OPENING;
    return is_early ? 1 : treefork_threads();
}
