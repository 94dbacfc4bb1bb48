/* The launches of a leaf, one behind the other.

   In: a run whose leaf is chosen and whose arrays are on the device. Out: its launches under way,
   shared by the members of a device that has some, and the arrays that come home with them. Where
   somebody watches the region, or the place of later runs is tried, the launches are timed alone.
   The device's lock is held. */
#include "runtime/execution.h"
#include "runtime/joined.h"
#include "runtime/part.h"
#include "runtime/tuned.h"
#include <stdlib.h>

enum { LAUNCHES_FEW = 2 };

int treefork_execution_plan_of(struct execution *x, size_t launch, struct treefork_launch *plan)
{
    return treefork_evaluation_plan(&x->evaluation, &x->region->launches[x->leaf->first + launch],
                                    x->leaf->id, plan);
}

/* A scalar that is summed: host code may touch it without a word, so that the device's copy is used
   no more. */
static int scalar_home(struct execution *x, uint64_t handle)
{
    struct treefork_buffer *b = treefork_buffer_find(x->device, handle);
    int status = b ? treefork_buffer_download(x->device, b) : TREEFORK_OK;
    if (b && !status)
        treefork_buffer_stale(x->device, b);
    return status;
}

/* Behind the launches: the arrays that come home with them (TREEFORK_HOME). */
static int execution_home(struct execution *x)
{
    int status = TREEFORK_OK;
    for (size_t i = 0; status == TREEFORK_OK && i < x->region->n_arrays; i++)
        if (x->region->arrays[i].access & TREEFORK_HOME)
            status = scalar_home(x, x->arguments[x->region->n_parameters + i].value.buffer);
    return status;
}

static void plans_complete(const struct execution *x, size_t count, struct treefork_launch *plans)
{
    for (size_t i = 0; i < count; i++) {
        plans[i].n_arguments = (size_t)x->region->n_parameters + x->region->n_arrays;
        plans[i].arguments = x->arguments;
        plans[i].n_bindings = x->n_bindings;
        plans[i].bindings = x->bindings;
    }
}

/* May the last block of a launch do what the next one does? Launches that members share are two. A
   launch without blocks has no last one. */
static inline bool launch_joins(const struct execution *x, const struct treefork_leaf_row *leaf,
                                size_t i, const struct treefork_launch *plans)
{
    return i + 1 < leaf->count && x->region->launches[leaf->first + i].joined != TREEFORK_NONE &&
           !x->device->group && treefork_joins_launches(&x->device->machine) &&
           plans[i].blocks > 0 && plans[i].blocks <= INT32_MAX && plans[i + 1].blocks == 1;
}

/* The launch of both plans, which needs as much as the needier of them. */
static struct treefork_launch launch_of_both(const struct execution *x,
                                             const struct treefork_launch_row *row,
                                             const struct treefork_launch *plans)
{
    struct treefork_launch launch = plans[0];
    const struct treefork_launch *next = &plans[1];
    launch.module = &x->region->modules[row->joined];
    launch.kernel = launch.module->name;
    if (next->shared_bytes > launch.shared_bytes)
        launch.shared_bytes = next->shared_bytes;
    if (next->registers > launch.registers)
        launch.registers = next->registers;
    return launch;
}

/* Runs a launch, or prepares it. */
typedef int launch_step(struct treefork_device *device, const struct treefork_launch *launch,
                        struct treefork_origin origin);

/* Plan number i, and the next one where the last block does that, too: then *joins. */
static inline int launch_step_at(struct execution *x, uint64_t region,
                                 const struct treefork_leaf_row *leaf, size_t i,
                                 const struct treefork_launch *plans, bool *joins,
                                 launch_step *step)
{
    struct treefork_origin origin = {region, leaf->first + i};
    *joins = launch_joins(x, leaf, i, plans);
    if (!*joins)
        return step(x->device, &plans[i], origin);
    struct treefork_launch both =
        launch_of_both(x, &x->region->launches[origin.launch], plans + i);
    origin.launch += TREEFORK_JOINED_ORIGIN;
    return step(x->device, &both, origin);
}

/* Later launches are compiled before the first one runs: when a run has begun, what it has written
   cannot be taken back, so that the program stops if a launch then fails. */
int treefork_execution_launch(struct execution *x, uint64_t region,
                              const struct treefork_leaf_row *leaf, struct treefork_launch *plans)
{
    int status = TREEFORK_OK;
    bool has_begun = false, joins = launch_joins(x, leaf, 0, plans);
    plans_complete(x, leaf->count, plans);
    for (size_t i = 1 + joins; status == TREEFORK_OK && i < leaf->count; i += 1 + joins)
        status = launch_step_at(x, region, leaf, i, plans, &joins, treefork_prepare_region);
    for (size_t i = 0; status == TREEFORK_OK && i < leaf->count; i += 1 + joins) {
        status = launch_step_at(x, region, leaf, i, plans, &joins, treefork_run_region);
        x->is_half_done = status && has_begun;
        has_begun |= plans[i].blocks > 0;
    }
    return status || !(x->access & TREEFORK_HOME) ? status : execution_home(x);
}

/* On a device with members, which share the blocks of each launch. */
static int launches_share(struct execution *x, struct treefork_launch *plans)
{
    const struct treefork_parting parting = {.evaluation = &x->evaluation,
                                             .first_array = x->region->n_parameters,
                                             .first_launch = x->leaf->first,
                                             .shares = *x->shares,
                                             .trace = x->trace != NULL};
    treefork_parting_begin(x->device, &parting);
    int status = treefork_execution_launch(x, treefork_region_number(x->region), x->leaf, plans);
    treefork_parting_end(x->device);
    return status;
}

static int launches_run(struct execution *x)
{
    struct treefork_launch few[LAUNCHES_FEW] = {{0}}, *plans = few;
    int status = TREEFORK_OK;
    if (x->leaf->count > LAUNCHES_FEW)
        plans = calloc(x->leaf->count, sizeof *plans);
    if (!plans)
        return treefork_fail(TREEFORK_MEMORY, "no memory for the launches of region %s",
                             x->region->name);
    for (size_t i = 0; status == TREEFORK_OK && i < x->leaf->count; i++)
        status = treefork_execution_plan_of(x, i, &plans[i]);
    if (status == TREEFORK_OK && x->device->group)
        status = launches_share(x, plans);
    else if (status == TREEFORK_OK)
        status = treefork_execution_launch(x, treefork_region_number(x->region), x->leaf, plans);
    if (plans != few)
        free(plans);
    return status;
}

/* The launches alone, without what was launched or copied before. */
static int launches_time(struct execution *x, double *nanoseconds)
{
    int status = treefork_wait(x->device);
    double start = treefork_clock(CLOCK_MONOTONIC);
    if (status == TREEFORK_OK)
        status = launches_run(x);
    if (status == TREEFORK_OK)
        status = treefork_wait(x->device);
    *nanoseconds = treefork_clock(CLOCK_MONOTONIC) - start;
    return status;
}

/* For who watches the region. */
static int launches_watch(struct execution *x)
{
    struct treefork_choosing choosing = {.region = x->region,
                                         .device = x->device,
                                         .automatic = x->automatic,
                                         .integers = x->integers,
                                         .devices = x->shares ? (int)x->shares->count : 0};
    double nanoseconds;
    int status = launches_time(x, &nanoseconds);
    if (status == TREEFORK_OK)
        treefork_watch_add(&choosing, x->leaf->id, nanoseconds);
    return status;
}

/* For the place of later runs. The first launch of a kernel says nothing: it may compile. */
static int launches_try(struct execution *x)
{
    uint64_t first = x->device->first_launches;
    double nanoseconds, start = treefork_clock(CLOCK_PROCESS_CPUTIME_ID);
    int status = launches_time(x, &nanoseconds);
    double spent = treefork_clock(CLOCK_PROCESS_CPUTIME_ID) - start;
    treefork_timing_end(&x->timing, nanoseconds, spent,
                        status == TREEFORK_OK && x->device->first_launches == first);
    return status;
}

int treefork_execution_run_launches(struct execution *x)
{
    if (treefork_is_watched(x->device, x->region))
        return launches_watch(x);
    return x->timing.side ? launches_try(x) : launches_run(x);
}
