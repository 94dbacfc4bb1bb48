/* Regions of a generated program at run time. In: their tables and arguments; out: a leaf chosen
   and launched, with the tunables that the region chooses itself (choice.c). Any failure of a
   region has brought the data back to the host when it returns, so that the serial elision may
   run. A forced leaf must still have what its fits asks of the parameters (not of the machine). */
#include "runtime/early.h"
#include "runtime/group.h"
#include "runtime/in_place.h"
#include "runtime/part.h"
#include "runtime/repeat.h"
#include "runtime/stays.h"
#include "runtime/tuned.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Has a region run? Then there may be data on the device. */
static atomic_int region_has_run;

/* Has the serial code of a region run? Then scratch arrays may have values on the host. */
static atomic_int serial_has_run;

/* Has a region run on the host with the bits of its leaves? The first of them starts OpenMP's
   threads, if it was compiled so, and its time says nothing. */
static atomic_int order_has_run;

/* --- one region ------------------------------------------------------------------------------ */

static void arguments_read(struct execution *x)
{
    for (size_t i = 0; i < x->region->n_parameters; i++) {
        uint16_t integer = x->region->parameters[i].integer;
        if (integer != TREEFORK_NONE)
            x->integers[integer] = treefork_argument_integer(&x->arguments[i]);
    }
}

void treefork_execution_take(struct execution *x)
{
    for (size_t i = 0; i < x->region->n_tunables; i++) {
        const struct treefork_tunable_row *row = &x->region->tunables[i];
        struct treefork_argument *argument = &x->arguments[row->parameter];
        treefork_int value = x->integers[x->region->parameters[row->parameter].integer];
        if (treefork_argument_is_unsigned(argument))
            argument->value.u = (uint64_t)value;
        else
            argument->value.i = value;
    }
}

static void arguments_bind(struct execution *x)
{
    for (size_t i = 0; i < x->region->n_parameters; i++) {
        const struct treefork_parameter_row *row = &x->region->parameters[i];
        if (row->bound)
            x->bindings[x->n_bindings++] =
                (struct treefork_binding){row->name, treefork_argument_integer(&x->arguments[i])};
    }
}

static int execution_begin(struct execution *x)
{
    const struct treefork_region *region = x->region;
    int status = treefork_evaluation_new(region, &x->evaluation);
    if (status)
        return status;
    x->integers = calloc(2 * ((size_t)region->n_integers + 1), sizeof *x->integers);
    x->bindings = calloc((size_t)region->n_parameters + 1, sizeof *x->bindings);
    if (!x->integers || !x->bindings)
        return treefork_fail(TREEFORK_MEMORY, "no memory for the arguments of region %s",
                             region->name);
    x->given = x->integers + region->n_integers + 1;
    arguments_read(x);
    memcpy(x->given, x->integers, region->n_integers * sizeof *x->integers);
    x->forced = x->switches.force ? treefork_forced(region->name) : 0;
    return TREEFORK_OK;
}

/* The tunables, and a leaf, by predicted time where the region may choose them. */
static int execution_tune(struct execution *x)
{
    struct treefork_choosing choosing = {.region = x->region,
                                         .device = x->device,
                                         .evaluation = &x->evaluation,
                                         .automatic = x->automatic,
                                         .forced = x->forced,
                                         .has_settings = x->switches.set,
                                         .integers = x->integers};
    x->evaluation.several = x->several;
    int status = treefork_choose(&choosing);
    if (status && x->forced > 0)
        status = TREEFORK_OK;        /* force_check says what the leaf lacks */
    x->chosen = choosing.leaf;
    x->is_held = choosing.is_held;
    x->is_changed = choosing.is_changed;
    x->tuned = choosing.tuned;
    x->devices_tuned = choosing.devices;
    if (x->is_changed)
        treefork_execution_take(x);
    arguments_bind(x);
    treefork_evaluation_set(&x->evaluation, treefork_device_machine(x->device), x->integers);
    return status;
}

static void execution_end(struct execution *x)
{
    treefork_evaluation_free(&x->evaluation);
    free(x->integers);
    free(x->bindings);
}

/* A forced leaf that cannot be taken; `needs` ends with what it lacks. */
static int forced_failure(int leaf, const struct treefork_trace *needs)
{
    const struct treefork_trace_entry *lack = needs->count ? &needs->entry[needs->count - 1] : NULL;
    if (!lack)
        return treefork_fail(TREEFORK_LAUNCH, "leaf %d was forced, and there is no such leaf",
                             leaf);
    return treefork_fail(TREEFORK_LAUNCH,
                         "leaf %d was forced, but it needs %s, and these are %lld and %lld", leaf,
                         lack->text, (long long)lack->left, (long long)lack->right);
}

/* A machine without limits, so that only the parameters are asked. */
static struct treefork_machine machine_unlimited(void)
{
    struct treefork_machine any = {.name = ""};
    for (size_t i = 0; i < TREEFORK_PARAMETERS; i++)
        any.value[i] = TREEFORK_UNLIMITED;
    return any;
}

static int force_check(struct execution *x, int leaf)
{
    const struct treefork_machine any = machine_unlimited();
    struct treefork_trace needs = {0};
    const struct treefork_leaf_row *row = treefork_leaf_find(x->region, leaf);
    treefork_evaluation_set(&x->evaluation, &any, x->integers);
    bool fits = row && treefork_evaluation_fits(&x->evaluation, row, &needs);
    treefork_evaluation_set(&x->evaluation, treefork_device_machine(x->device), x->integers);
    return fits ? TREEFORK_OK : forced_failure(leaf, &needs);
}

/* The path to the case's leaf says nothing of another one: what that one needs does. */
static void needs_explain(struct execution *x)
{
    x->trace->count = 0;
    treefork_evaluation_set(&x->evaluation, treefork_device_machine(x->device), x->integers);
    treefork_evaluation_fits(&x->evaluation, x->leaf, x->trace);
}

static int execution_choose(struct execution *x)
{
    int leaf = x->region->select(treefork_device_machine(x->device), x->integers, x->trace);
    if (leaf < 0)
        return -leaf;
    x->leaf_by_case = leaf;
    if (x->chosen > 0)
        leaf = x->chosen;
    if (x->forced > 0) {
        int status = force_check(x, x->forced);
        if (status)
            return status;
        leaf = x->forced;
    }
    x->leaf = treefork_leaf_find(x->region, leaf);
    if (x->trace && x->leaf && leaf != x->leaf_by_case)
        needs_explain(x);
    if (x->trace)
        x->trace->variant = leaf;
    return x->leaf ? TREEFORK_OK : treefork_fail(TREEFORK_ARGUMENT, "there is no leaf %d", leaf);
}

unsigned treefork_execution_access(struct execution *x, size_t array)
{
    unsigned access = x->region->arrays[array].access;
    if (x->after_serial)
        access &= ~(unsigned)TREEFORK_SCRATCH;
    if (access & TREEFORK_OVERWRITE && !treefork_evaluation_overwrites(&x->evaluation, array))
        access = (access & ~(unsigned)TREEFORK_OVERWRITE) | TREEFORK_READ;
    return access;
}

static int execution_use(struct execution *x)
{
    const struct treefork_region *region = x->region;
    int status = TREEFORK_OK;
    for (size_t i = 0; status == TREEFORK_OK && i < region->n_arrays; i++) {
        treefork_int bytes;
        status = treefork_evaluation_bytes(&x->evaluation, i, &bytes);
        if (!status)
            status = treefork_execution_take_array(x, i, (size_t)bytes,
                                                   treefork_execution_access(x, i));
    }
    return status;
}

/* Plans every launch before anything is touched. */
static int execution_plan(struct execution *x, bool *is_empty)
{
    int status = TREEFORK_OK;
    *is_empty = true;
    for (size_t i = 0; status == TREEFORK_OK && i < x->leaf->count; i++) {
        struct treefork_launch plan = {0};
        status = treefork_execution_plan_of(x, i, &plan);
        *is_empty = *is_empty && plan.blocks == 0;
    }
    return status;
}

/* One step of the device: no other thread's copies and launches come between. */
static int execution_step(struct execution *x)
{
    pthread_mutex_lock(&x->device->mutex);
    int status = treefork_room_find(x);
    if (!status)
        status = execution_use(x);
    if (!status)
        treefork_execution_report(x);
    if (!status)
        status = treefork_execution_run_launches(x);
    if (!status && !x->queues && !x->timing.side && treefork_may_repeat(x))
        treefork_repeat_keep(x);
    pthread_mutex_unlock(&x->device->mutex);
    return status;
}

/* No launch: the serial code is to run. */
static int execution_stay(struct execution *x)
{
    pthread_mutex_lock(&x->device->mutex);
    treefork_execution_report(x);
    if (!x->timing.side && treefork_may_repeat(x)) {
        treefork_repeat_keep(x);
        if (x->repeats == UINT64_MAX)
            treefork_stay_mark(x->region);
    }
    int status = treefork_hand_over(x);
    pthread_mutex_unlock(&x->device->mutex);
    return status;
}

/* How many devices TREEFORK_SET gives the region as NAME.devices; without an item 0. */
static size_t devices_set(const struct execution *x)
{
    struct treefork_text name = {0};
    int devices = 0;
    if (!x->switches.set)
        return 0;
    treefork_text_add(&name, "%s.devices", x->region->name);
    if (name.text)
        devices = treefork_setting(TREEFORK_SETTING_TUNABLE, name.text);
    free(name.text);
    return (size_t)devices;
}

static int execution_decide(struct execution *x, bool *is_empty)
{
    int status = execution_tune(x);
    if (status == TREEFORK_OK)
        status = execution_choose(x);
    return status ? status : execution_plan(x, is_empty);
}

static int execution_go(struct execution *x)
{
    x->is_in_place = treefork_is_in_place(x);
    return x->is_in_place ? execution_stay(x) : execution_step(x);
}

/* More members than would be fastest, where these have the arrays. */
static void execution_join(struct execution *x, struct treefork_shares *shares)
{
    size_t members = treefork_devices_join(x, shares->count);
    x->are_devices_joined = members > shares->count;
    if (x->are_devices_joined)
        *shares = treefork_several_shares(&x->evaluation, x->several, x->leaf, members);
}

/* On a device with members: the leaf by their time, then who of them shares its launches. */
static int execution_share(struct execution *x)
{
    struct treefork_several several = *treefork_device_several(x->device);
    struct treefork_shares shares;
    bool is_empty;
    x->several = &several;
    x->shares = &shares;
    several.only = devices_set(x);
    x->are_devices_given = several.only || several.weight;
    int status = execution_decide(x, &is_empty);
    if (status || is_empty)
        return status;
    if (!x->are_devices_given)
        several.only = (size_t)x->devices_tuned;
    const struct treefork_choosing choosing = {.region = x->region,
                                               .device = x->device,
                                               .evaluation = &x->evaluation,
                                               .automatic = x->automatic,
                                               .forced = x->forced,
                                               .integers = x->integers};
    treefork_shares_choose(&choosing, x->leaf, &shares);
    if (!x->are_devices_given && !several.only)
        execution_join(x, &shares);
    return execution_go(x);
}

/* On the device, or in place of a launch there. */
static int execution_place(struct execution *x)
{
    bool is_empty;
    atomic_store_explicit(&region_has_run, 1, memory_order_relaxed);
    if (x->device->group)
        return execution_share(x);
    int status = execution_decide(x, &is_empty);
    return status || is_empty ? status : execution_go(x);
}

static int execution_run(struct execution *x)
{
    int status = TREEFORK_OK;
    if (!x->region)
        return treefork_fail(TREEFORK_ARGUMENT, "there is no such region");
    status = treefork_layout_check("region", x->region->name, x->region->layout);
    if (status)
        return status;
    x->device = treefork_default_open();
    if (x->device && treefork_execution_repeat(x, &status))
        return status;
    status = execution_begin(x);
    if (status == TREEFORK_OK && !x->device && treefork_is_early(x))
        return TREEFORK_IN_PLACE;
    if (!x->device)
        x->device = treefork_default();
    if (status == TREEFORK_OK && !x->device)
        status = TREEFORK_NO_DEVICE;
    return status ? status : execution_place(x);
}

/* Serial code cannot work on memory that only the device reaches. */
static int serial_check(const struct execution *x)
{
    size_t n = x->device && x->region ? x->region->n_arrays : 0;
    int status = TREEFORK_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = treefork_attached_serves(x->device, x->arrays[i]);
    return status;
}

/* A region failed: its data comes back and the serial code runs, or the program stops. */
static void region_failed(const struct execution *x, int status)
{
    const char *name = x->region ? x->region->name : "?";
    if (!treefork_failed(name, status))
        abort();
    if (x->is_half_done)
        treefork_stop(name, status);
    int back = serial_check(x);
    if (back == TREEFORK_OK)
        back = treefork_host(x->device, NULL, TREEFORK_READ | TREEFORK_WRITE);
    if (back != TREEFORK_OK)
        treefork_stop(name, back);
}

static void region_is_serial(const struct execution *x, int status)
{
    atomic_store_explicit(&serial_has_run, 1, memory_order_relaxed);
    if (status != TREEFORK_IN_PLACE)
        region_failed(x, status);
    if (status == TREEFORK_IN_PLACE && x->timing.side)
        treefork_timing_begin(&x->timing);
    else
        treefork_timing_drop();
}

static bool arrays_meet(struct execution *x, size_t a, size_t b)
{
    uintptr_t x_at = (uintptr_t)x->arrays[a], y_at = (uintptr_t)x->arrays[b];
    treefork_int x_bytes, y_bytes;
    unsigned access = x->region->arrays[a].access | x->region->arrays[b].access;
    if (!x_at || !y_at || !(access & TREEFORK_WRITE))
        return false;
    if (treefork_evaluation_bytes(&x->evaluation, a, &x_bytes) ||
        treefork_evaluation_bytes(&x->evaluation, b, &y_bytes))
        return true;
    return x_at < y_at + (uintptr_t)y_bytes && y_at < x_at + (uintptr_t)x_bytes;
}

/* May the region's iterations run in another order than the text's? Like a launch this asks for
   its conditions, and for arrays that lie apart. */
static bool order_is_free(struct execution *x)
{
    const struct treefork_machine any = machine_unlimited();
    if (!x->integers && execution_begin(x))
        return false;
    treefork_evaluation_set(&x->evaluation, &any, x->integers);
    if (x->region->select(&any, x->integers, NULL) < 0)
        return false;
    for (size_t a = 0; a < x->region->n_arrays; a++)
        for (size_t b = 0; b < a; b++)
            if (arrays_meet(x, a, b))
                return false;
    return true;
}

/* On the host, with the bits of the leaves. */
static bool region_ran_in_order(struct execution *x)
{
    bool is_known = x->region && x->region->layout == TREEFORK_TABLES;
    const struct treefork_site *site = is_known ? x->region->site : NULL;
    if (!site || !site->serial || !site->serial(x->arguments, NULL) || !order_is_free(x))
        return false;
    if (!atomic_exchange_explicit(&order_has_run, 1, memory_order_relaxed))
        treefork_timing_drop();
    bool ran = site->serial(x->arguments, x->arrays);
    if (ran)
        treefork_after_serial();
    return ran;
}

static int region_run(struct execution *x)
{
    int status = execution_run(x);
    if (status != TREEFORK_OK) {
        region_is_serial(x, status);
        status = region_ran_in_order(x) ? TREEFORK_OK : status;
    }
    execution_end(x);
    return status;
}

/* A trace takes longer to make than many a launch. */
static int region_run_traced(struct execution *x)
{
    struct treefork_trace trace = {0};
    x->trace = &trace;
    return region_run(x);
}

int treefork_region_run(const struct treefork_region *region, struct treefork_argument *arguments,
                        const void *const *arrays, int automatic)
{
    struct execution x = {.region = region,
                          .arguments = arguments,
                          .arrays = arrays,
                          .automatic = automatic,
                          .generation = treefork_choice_generation(),
                          .after_serial =
                              atomic_load_explicit(&serial_has_run, memory_order_relaxed),
                          .switches = treefork_switches_now()};
    return x.switches.trace && treefork_tracing() ? region_run_traced(&x) : region_run(&x);
}

/* --- in the user's functions ----------------------------------------------------------------- */

static bool region_ran(void)
{
    return atomic_load_explicit(&region_has_run, memory_order_relaxed);
}

static bool data_is_away(void)
{
    return treefork_is_away() && region_ran();
}

static void data_returned(const char *function, int status)
{
    if (status != TREEFORK_OK)
        treefork_stop(function, status);
}

void treefork_before_read(const char *function)
{
    if (data_is_away())
        data_returned(function, treefork_host_reads(treefork_default()));
}

void treefork_before_write(const char *function)
{
    if (data_is_away())
        data_returned(function,
                      treefork_host(treefork_default(), NULL, TREEFORK_READ | TREEFORK_WRITE));
}

void treefork_before_return(const char *function)
{
    if (data_is_away())
        data_returned(function, treefork_host_returns(treefork_default()));
}

void treefork_array_end(const void *array, size_t bytes)
{
    if (region_ran())
        treefork_discard(treefork_default(), array, bytes);
}
