/* Serial code in place of launches, on CPU devices. In: a run whose leaf is chosen. Out: does its
   serial code, which stands in place behind the call, run instead? Only where no byte is copied for
   it: the device works in the host's arrays, or the host has their newest bytes. The model answers
   (serial.h) until the process has measured both (sides.h), and for good where its time of the
   serial code is at most half a launch without work. The answer is remembered with choices, and by
   runs that repeat. While launches are in flight a run queues behind them, unless measured times
   say that waiting pays. Whoever names a leaf, a tunable or a region to be timed has a launch, and
   so has a choice that was tuned, which was measured as one. The invariant of region.c holds: all
   data is the host's when the serial code begins. */
#include "runtime/in_place.h"
#include "runtime/launch.h"
#include "runtime/sectors.h"
#include "runtime/serial.h"
#include <stdlib.h>
#include <string.h>

enum {
    LIBRARY_TIMES = 8,             /* PoCL 3.1's pow takes 120 ns where glibc's takes 15 */
    COMPILING = 500000000,         /* nanoseconds that a kernel takes PoCL */
    LOADING = 20000000,            /* from the cache on disk */
    WAITING = 100000000            /* of serial code, before a kernel is compiled for a trial */
};

/* Nothing would be copied for the host: the device works in its arrays, or it has the newest bytes.
   Scalars come home anyway, and partial arrays have no home. */
static bool arrays_are_here(const struct execution *x)
{
    const unsigned other = TREEFORK_HOME | TREEFORK_PARTIAL;
    for (size_t i = 0; i < x->region->n_arrays; i++)
        if (!(x->region->arrays[i].access & other) &&
            !treefork_may_share(x->device, x->arrays[i]) &&
            !treefork_host_has(x->device, x->arrays[i]))
            return false;
    return true;
}

static bool is_forbidden(const struct treefork_switches *switches)
{
    return switches->host && treefork_host_is(TREEFORK_HOST_NEVER);
}

/* Does everything but the places of its arrays allow a run in place? */
static bool nobody_objects(const struct execution *x)
{
    const struct treefork_device *device = x->device;
    return device->shares && !device->n_attached && !device->lost && !device->checked &&
           !device->watch && !x->region->checked && !x->switches.force && !x->switches.set &&
           !x->tuned && !is_forbidden(&x->switches);
}

bool treefork_may_be_in_place(const struct execution *x)
{
    return nobody_objects(x) && arrays_are_here(x);
}

/* --- what the model says --------------------------------------------------------------------- */

static struct treefork_choosing choosing_of(struct execution *x)
{
    return (struct treefork_choosing){.region = x->region,
                                      .device = x->device,
                                      .evaluation = &x->evaluation,
                                      .automatic = x->automatic,
                                      .integers = x->integers};
}

static void sides_find(struct execution *x, struct treefork_serial_point *point)
{
    struct treefork_choosing choosing = choosing_of(x);
    struct treefork_key key;
    if (x->device) {
        treefork_key_of_sizes(&key, &choosing);
        point->sides[SIDE_IS_LAUNCH] = treefork_side_of(&key);
    }
    choosing.device = NULL;
    treefork_key_of_sizes(&key, &choosing);
    point->sides[SIDE_IS_SERIAL] = treefork_side_of(&key);
}

static struct treefork_machine host_machine;
static pthread_once_t host_once = PTHREAD_ONCE_INIT;

static void host_machine_make(void)
{
    treefork_machine_clear(&host_machine, "host");
    treefork_machine_host(&host_machine);
}

/* A CPU that nobody asked (host.def): it stands for the host, so that the model says the same
   before and after the device is open. */
static const struct treefork_machine *host_machine_get(void)
{
    pthread_once(&host_once, host_machine_make);
    return &host_machine;
}

/* At these integers, on the host. */
static struct treefork_serial_point point_of(struct execution *x, treefork_int *integers)
{
    const struct treefork_machine *host = host_machine_get();
    struct treefork_serial_point point = {0};
    for (size_t i = 0; i < x->region->n_tunables; i++)
        integers[x->region->parameters[x->region->tunables[i].parameter].integer] = 1;
    int leaf = x->region->select(host, integers, NULL);
    const struct treefork_leaf_row *row = leaf > 0 ? treefork_leaf_find(x->region, leaf) : NULL;
    if (!row)
        return point;
    treefork_evaluation_set(&x->evaluation, host, integers);
    point.model = treefork_evaluation_serial(&x->evaluation, row);
    sides_find(x, &point);
    return point;
}

struct treefork_serial_point treefork_serial_point(struct execution *x)
{
    struct treefork_serial_point point = {0};
    const struct treefork_machine *machine =
        x->device ? treefork_device_machine(x->device) : host_machine_get();
    size_t bytes = ((size_t)x->region->n_integers + 1) * sizeof(treefork_int);
    treefork_int *integers = malloc(bytes);
    if (!integers)
        return point;
    memcpy(integers, x->given, bytes - sizeof *integers);
    point = point_of(x, integers);
    treefork_evaluation_set(&x->evaluation, machine, x->integers);
    free(integers);
    return point;
}

/* --- the place of a run ---------------------------------------------------------------------- */

/* The place of a side, with the times that were measured. */
static struct treefork_location location_of(const struct treefork_serial_point *point,
                                           const struct treefork_odds *odds, int side)
{
    struct treefork_location place = {.is_in_place = side == SIDE_IS_SERIAL};
    place.serial = treefork_side_time(point->sides[SIDE_IS_SERIAL], odds->model[SIDE_IS_SERIAL]);
    place.launch = treefork_side_time(point->sides[SIDE_IS_LAUNCH], odds->model[SIDE_IS_LAUNCH]);
    place.waits = place.is_in_place && place.launch > place.serial + odds->least;
    return place;
}

static void turn_take(struct execution *x, const struct treefork_serial_point *point,
                      const struct treefork_odds *odds, struct treefork_turn turn)
{
    struct treefork_side *side = point->sides[turn.side];
    bool is_settled = turn.repeats == UINT64_MAX;
    x->place = location_of(point, odds, turn.side);
    x->repeats = turn.repeats;
    if (turn.is_timed) {
        x->timing = (struct treefork_timing){.side = side, .model = odds->model[turn.side]};
        treefork_side_try(side);
    } else if (!is_settled) {
        x->side = side;
        x->price = treefork_side_time(side, odds->model[turn.side]);
        treefork_side_spend(side, x->price);
    }
}

static bool arrays_are_small(struct execution *x)
{
    treefork_int bytes = 0;
    bool are_small = true;
    for (size_t i = 0; i < x->region->n_arrays && are_small; i++) {
        treefork_evaluation_bytes(&x->evaluation, i, &bytes);
        are_small = treefork_bytes_are_few((size_t)bytes);
    }
    return are_small;
}

/* Are the kernels of all launches loaded, or in the cache on disk? */
static bool kernels_are_kept(struct execution *x)
{
    bool are_kept = true, are_small = arrays_are_small(x);
    pthread_mutex_lock(&x->device->mutex);
    for (size_t i = 0; i < x->leaf->count && are_kept; i++) {
        struct treefork_launch launch = {0};
        are_kept = treefork_execution_plan_of(x, i, &launch) == TREEFORK_OK;
        launch.n_bindings = x->n_bindings;
        launch.bindings = x->bindings;
        launch.small_arrays = are_small;
        if (are_kept && !treefork_launch_is_plane(x->device, &launch))
            launch.grid_width = launch.block_width = 0;
        are_kept = are_kept && (launch.blocks == 0 ||
                                treefork_program_is_kept(x->device, &launch));
    }
    pthread_mutex_unlock(&x->device->mutex);
    return are_kept;
}

/* Nanoseconds until the kernels of a launch can run. */
static double compiling_of(struct execution *x, struct treefork_side *launch)
{
    struct treefork_side known = treefork_side_read(launch);
    if (!known.kernels) {
        known.kernels = kernels_are_kept(x) ? 1 : -1;
        treefork_side_note_kernels(launch, known.kernels > 0);
    }
    return known.kernels > 0 ? LOADING : COMPILING;
}

/* The odds of a run. Serial code comes first if it `pays`, as a launch by itself takes about as
   long; where a launch saves less in this run than compiling takes, so that a process compiles
   nothing that its runs do not pay for; and where threads call functions of the library. The model
   has those of a GPU, while OpenCL takes LIBRARY_TIMES as long for them as C: a launch may only be
   faster on more processors, and where OpenMP's threads do not share the serial code. */
static struct treefork_odds odds_of(struct execution *x, const struct treefork_serial_point *point,
                                    const struct treefork_prediction *launch, bool pays)
{
    const struct treefork_site *site = x->region->site;
    bool calls = site && site->calls_library;
    int64_t cores = treefork_device_machine(x->device)->value[TREEFORK_M_D];
    double times = calls ? LIBRARY_TIMES : 1, serial = point->model;
    double compiling = compiling_of(x, point->sides[SIDE_IS_LAUNCH]);
    bool is_first = pays || serial - launch->nanoseconds < compiling ||
                    (calls && (site->serial || cores <= LIBRARY_TIMES));
    return (struct treefork_odds){.model = {serial, launch->nanoseconds * times},
                                  .least = launch->launch,
                                  .compiling = least(compiling, WAITING),
                                  .pick = is_first ? SIDE_IS_SERIAL : SIDE_IS_LAUNCH};
}

/* By the model, for good, or by measured times. */
static void place_find(struct execution *x, const struct treefork_prediction *launch)
{
    double serial = treefork_evaluation_serial(&x->evaluation, x->leaf);
    bool pays = treefork_serial_pays(serial, launch);
    bool is_known = launch->nanoseconds < NO_TIME && serial > 0;
    x->place = (struct treefork_location){.is_in_place = is_known && pays};
    x->repeats = UINT64_MAX;
    if (!is_known || 2 * serial <= launch->launch ||
        (x->switches.host && treefork_host_is(TREEFORK_HOST_MODEL)))
        return;
    struct treefork_serial_point point = treefork_serial_point(x);
    if (!point.sides[SIDE_IS_SERIAL] || !point.sides[SIDE_IS_LAUNCH] || point.model <= 0)
        return;
    const struct treefork_odds odds = odds_of(x, &point, launch, pays);
    struct treefork_side known[SIDES] = {treefork_side_read(point.sides[SIDE_IS_SERIAL]),
                                         treefork_side_read(point.sides[SIDE_IS_LAUNCH])};
    turn_take(x, &point, &odds,
              treefork_sides_turn(&known[SIDE_IS_SERIAL], &known[SIDE_IS_LAUNCH], &odds));
}

static void place_choose(struct execution *x)
{
    const struct treefork_choosing choosing = choosing_of(x);
    struct treefork_prediction launch = {0};
    treefork_int threads = 0;
    x->repeats = UINT64_MAX;
    if (treefork_place_recall(&choosing, x->leaf->id, &x->place))
        return;
    if (treefork_evaluation_predict(&x->evaluation, x->leaf, &threads, &launch) == TREEFORK_OK)
        place_find(x, &launch);
    if (x->repeats == UINT64_MAX && !x->timing.side)
        treefork_place_remember(&choosing, x->leaf->id, &x->place);
}

bool treefork_is_in_place(struct execution *x)
{
    x->repeats = UINT64_MAX;
    x->side = NULL;
    pthread_mutex_lock(&x->device->mutex);
    bool may = treefork_may_be_in_place(x), is_busy = x->device->in_flight > 0;
    x->is_away = !may && nobody_objects(x);
    pthread_mutex_unlock(&x->device->mutex);
    if (!may)
        return false;
    place_choose(x);
    x->queues = x->place.is_in_place && is_busy && !x->place.waits && !x->timing.side;
    return x->place.is_in_place && !x->queues;
}

int treefork_hand_over(struct execution *x)
{
    int status = treefork_host(x->device, NULL, TREEFORK_READ | TREEFORK_WRITE);
    return status ? status : TREEFORK_IN_PLACE;
}
