/* Fragments of host code that a program has twice, as regions and as the loops that these were made
   from: `if (meta_pays(rounds, times)) { regions } else { loops } meta_paid();`. In: the loops'
   rounds, and how many times as long the regions' order takes on one core. Out: whether the
   regions run. Both compute the same bits, so that nothing but time depends on the answer.

   Before the device is open the loops run as long as serial code may (early.c), and where there is
   none. A device that does not work in the host's arrays gets the regions. Else both are measured
   as the sides of a region are (sides.h), each call by its rounds: the loops by their thread's
   clock, the regions until the device has done its work. Regions measure their own serial code and
   launches besides (in_place.c), so that their first calls may take longer than later ones; the
   least time counts. A fragment in another one is not timed, nor is one that names a leaf or a
   tunable. */
#include "runtime/early.h"
#include "runtime/sectors.h"
#include "runtime/sides.h"
#include "runtime/stays.h"
#include "runtime/treefork-tables.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* The fragment that this thread is in and times. */
static _Thread_local struct fragment_run {
    const char *function;            /* NULL: there is none */
    struct treefork_timing timing;
    struct treefork_device *device;  /* regions run; NULL: the loops do */
    double wall;
    uint64_t first_launches;         /* of the device, as the regions began */
} running;

/* Calls whose side stays, by thread and place: to ask again takes 0.1 us, in which the host
   computes some loops. */
enum { SETTLED = 16 };
static _Thread_local struct settled {
    const char *function;            /* NULL: there is none */
    int line, exponent;
    bool pays;
    uint64_t epoch;                  /* of treefork_stays_epoch */
} settled[SETTLED];

/* --- regions or loops ------------------------------------------------------------------------- */

/* A call of meta_pays: its place and its arguments. */
struct fragment_call {
    const char *function;
    int line;
    double rounds;
    int times;
    struct treefork_switches switches;
};

static int exponent_of(const struct fragment_call *call)
{
    int exponent;
    frexp(call->rounds, &exponent);
    return exponent;
}

static struct settled *settled_of(const struct fragment_call *call)
{
    return &settled[((uintptr_t)call->function / 8 + (unsigned)call->line) % SETTLED];
}

/* Is the side of the call known for good? */
static bool is_settled(const struct fragment_call *call)
{
    const struct settled *known = settled_of(call);
    uint64_t epoch = treefork_stays_epoch();
    return epoch && known->epoch == epoch && known->function == call->function &&
           known->line == call->line && known->exponent == exponent_of(call);
}

static struct treefork_side *side_of(const struct fragment_call *call, int side)
{
    const struct treefork_key key = {.n = 5,
                                     .at = {INT64_MIN, (treefork_int)(intptr_t)call->function,
                                            call->line, exponent_of(call), side}};
    return treefork_side_of(&key);
}

static double loops_model(const struct fragment_call *call)
{
    return greater(call->rounds, 1) / ROUNDS;
}

static struct treefork_odds odds_of(const struct fragment_call *call,
                                    const struct treefork_device *device)
{
    double cores = greater((double)device->machine.value[TREEFORK_M_D], 1);
    struct treefork_odds odds = {.least = LAUNCH};
    odds.model[SIDE_IS_SERIAL] = loops_model(call);
    odds.model[SIDE_IS_LAUNCH] = loops_model(call) * greater(call->times, 1) / cores;
    odds.pick = odds.model[SIDE_IS_LAUNCH] + odds.least < odds.model[SIDE_IS_SERIAL]
                    ? SIDE_IS_LAUNCH : SIDE_IS_SERIAL;
    return odds;
}

static void fragment_begin(const struct fragment_call *call, struct treefork_device *device,
                      const struct treefork_timing *timing)
{
    running = (struct fragment_run){call->function, *timing, device,
                                    treefork_clock(CLOCK_MONOTONIC),
                                    device ? device->first_launches : 0};
    running.timing.started =
        treefork_clock(device ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID);
}

static void call_trace(const struct fragment_call *call, int side, double model,
                       bool is_timed)
{
    const struct treefork_side *own = side_of(call, side);
    double known = own ? treefork_side_time(own, model) : 0;
    fprintf(stderr, "%s: the %s of line %d run", call->function,
            side == SIDE_IS_LAUNCH ? "regions" : "loops", call->line);
    if (known > 0)
        fprintf(stderr, ", which took %.3f us in this process", known / 1e3);
    fprintf(stderr, "%s\n", is_timed ? "; this run is timed" : "");
}

/* By measured times, on a device that shares the host's memory. */
static int side_choose(const struct fragment_call *call, struct treefork_device *device)
{
    struct treefork_side *sides[SIDES] = {side_of(call, SIDE_IS_SERIAL),
                                          side_of(call, SIDE_IS_LAUNCH)};
    struct treefork_odds odds = odds_of(call, device);
    if (!sides[SIDE_IS_SERIAL] || !sides[SIDE_IS_LAUNCH] || call->switches.host)
        return odds.pick;
    struct treefork_side known[SIDES] = {treefork_side_read(sides[SIDE_IS_SERIAL]),
                                         treefork_side_read(sides[SIDE_IS_LAUNCH])};
    struct treefork_turn turn =
        treefork_sides_turn(&known[SIDE_IS_SERIAL], &known[SIDE_IS_LAUNCH], &odds);
    struct treefork_side *side = sides[turn.side];
    const struct treefork_timing timing = {.side = side, .model = odds.model[turn.side]};
    if (call->switches.trace && treefork_tracing())
        call_trace(call, turn.side, timing.model, turn.is_timed);
    if (turn.is_timed && !running.function) {
        treefork_side_try(side);
        fragment_begin(call, turn.side == SIDE_IS_LAUNCH ? device : NULL, &timing);
    } else if (turn.repeats != UINT64_MAX) {
        treefork_side_spend(side, treefork_side_time(side, timing.model));
    } else {
        *settled_of(call) = (struct settled){call->function, call->line, exponent_of(call),
                                             turn.side == SIDE_IS_LAUNCH, treefork_stays_epoch()};
    }
    return turn.side;
}

/* Does somebody ask for launches, or has the device arrays of its own? */
static bool takes_regions(const struct fragment_call *call, struct treefork_device *device)
{
    pthread_mutex_lock(&device->mutex);
    bool may = device->shares && !device->n_attached && !device->lost && !device->checked &&
               !device->watch;
    pthread_mutex_unlock(&device->mutex);
    return !may || call->switches.force || call->switches.set ||
           (call->switches.host && treefork_host_is(TREEFORK_HOST_NEVER));
}

/* Do the loops run since the device is not open? */
static bool loops_are_early(const struct fragment_call *call)
{
    struct treefork_timing timing = {0};
    if (treefork_default_is_asked() ||
        !treefork_early_take(&call->switches, side_of(call, SIDE_IS_SERIAL), loops_model(call),
                             &timing))
        return false;
    if (timing.side && !running.function)
        fragment_begin(call, NULL, &timing);
    return true;
}

/* Without a device the loops are the serial program; that is said as regions say it, or the program
   stops. */
static int loops_serve(const struct fragment_call *call)
{
    if (!treefork_failed(call->function, TREEFORK_NO_DEVICE))
        abort();
    return 0;
}

int treefork_pays(const char *function, int line, double rounds, int times)
{
    struct fragment_call call = {function, line, rounds, times, {0}};
    if (running.function == function)
        running.function = NULL;     /* it was left without meta_paid */
    if (is_settled(&call))
        return settled_of(&call)->pays;
    call.switches = treefork_switches_now();
    if (loops_are_early(&call))
        return 0;
    struct treefork_device *device = treefork_default();
    if (!device)
        return loops_serve(&call);
    return takes_regions(&call, device) || side_choose(&call, device) == SIDE_IS_LAUNCH;
}

/* --- the end ---------------------------------------------------------------------------------- */

/* Launches count once the device has done their work, those of new kernels not. */
static void regions_paid(const struct fragment_run *run)
{
    treefork_wait(run->device);
    double wall = treefork_clock(CLOCK_MONOTONIC) - run->wall;
    double spent = treefork_clock(CLOCK_PROCESS_CPUTIME_ID) - run->timing.started;
    treefork_timing_end(&run->timing, wall, spent,
                        run->device->first_launches == run->first_launches);
}

void treefork_paid(const char *function)
{
    if (running.function != function)
        return;
    if (running.device)
        regions_paid(&running);
    else
        treefork_timing_add(&running.timing,
                            treefork_clock(CLOCK_THREAD_CPUTIME_ID) - running.timing.started);
    running.function = NULL;
}
