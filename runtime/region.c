/* Regions of a generated program at run time. In: their tables and arguments; out: a leaf chosen
   and launched, with the tunables that the region chooses itself (choice.c). Any failure of a
   region has brought the data back to the host when it returns, so that the serial elision may
   run. A forced leaf must still have what its fits asks of the parameters (not of the machine). */
#include "runtime/repeat.h"
#include "runtime/tuned.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Has a region run? Then there may be data on the device. */
static atomic_int region_has_run;

/* Has the serial code of a region run? Then scratch arrays may have values on the host. */
static atomic_int serial_has_run;

/* --- one region ------------------------------------------------------------------------------ */

struct execution {
    const struct treefork_region *region;
    struct treefork_device *device;
    struct treefork_argument *arguments;
    const void *const *arrays;
    struct treefork_evaluation evaluation;
    treefork_int *integers;
    treefork_int *given;     /* as the region was given them */
    struct treefork_binding *bindings;
    size_t n_bindings;
    const struct treefork_leaf_row *leaf;
    struct treefork_switches switches;
    int automatic;           /* the region runs for NAME_auto */
    int forced;              /* leaf that TREEFORK_FORCE wants; 0: none */
    int tuned;               /* the choice is a tuned one (treefork_tuned_words) */
    double measured;         /* nanoseconds, when it was tuned at these extents; 0: it was not */
    int chosen;              /* leaf that the region chose by predicted time; 0: it did not */
    bool is_changed;         /* the region took other tunables than it was given */
    bool is_held;            /* a tunable was not chosen because a division is not exact */
    uint64_t generation;     /* of choices, as the run began */
    int leaf_by_case;        /* what NAME_select takes */
    struct treefork_trace *trace;   /* NULL: nobody asks for one */
};

static void arguments_read(struct execution *x)
{
    for (size_t i = 0; i < x->region->n_parameters; i++) {
        uint16_t integer = x->region->parameters[i].integer;
        if (integer != TREEFORK_NONE)
            x->integers[integer] = treefork_argument_integer(&x->arguments[i]);
    }
}

/* What the region chose takes the place of what it was given. */
static void arguments_choose(struct execution *x)
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
    if (!x->device)
        return TREEFORK_NO_DEVICE;
    atomic_store_explicit(&region_has_run, 1, memory_order_relaxed);
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
    int status = treefork_choose(&choosing);
    if (status && x->forced > 0)
        status = TREEFORK_OK;        /* force_check says what the leaf lacks */
    x->chosen = choosing.leaf;
    x->is_held = choosing.is_held;
    x->is_changed = choosing.is_changed;
    x->tuned = choosing.tuned;
    x->measured = choosing.measured;
    if (x->is_changed)
        arguments_choose(x);
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

/* On a machine without limits, so that only the parameters are asked. */
static int force_check(struct execution *x, int leaf)
{
    struct treefork_machine any = {.name = ""};
    struct treefork_trace needs = {0};
    for (size_t i = 0; i < TREEFORK_PARAMETERS; i++)
        any.value[i] = TREEFORK_UNLIMITED;
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

static unsigned array_access(struct execution *x, size_t array)
{
    bool serial = atomic_load_explicit(&serial_has_run, memory_order_relaxed);
    unsigned access = x->region->arrays[array].access;
    if (serial)
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
        struct treefork_argument *argument = &x->arguments[region->n_parameters + i];
        treefork_int bytes;
        status = treefork_evaluation_bytes(&x->evaluation, i, &bytes);
        if (status)
            break;
        argument->type = TREEFORK_BUFFER;
        status = treefork_buffer_take(x->device, x->arrays[i], (size_t)bytes, array_access(x, i),
                                      region->checked, &argument->value.buffer);
    }
    return status;
}

/* Arrays that the device cannot hold together are refused before one is copied. */
static int execution_fits(struct execution *x)
{
    uint64_t sum = 0, largest = 0;
    for (size_t i = 0; i < x->region->n_arrays; i++) {
        treefork_int bytes;
        int status = treefork_evaluation_bytes(&x->evaluation, i, &bytes);
        if (status)
            return status;
        if (treefork_attached_find(x->device, x->arrays[i]))
            continue;
        sum += (uint64_t)bytes;
        largest = (uint64_t)bytes > largest ? (uint64_t)bytes : largest;
    }
    return treefork_buffers_find_room(x->device, x->region->name, sum, largest);
}

static int plan_of(struct execution *x, size_t launch, struct treefork_launch *plan)
{
    return treefork_evaluation_plan(&x->evaluation, &x->region->launches[x->leaf->first + launch],
                                    x->leaf->id, plan);
}

/* Plans every launch before anything is touched. */
static int execution_plan(struct execution *x, bool *is_empty)
{
    int status = TREEFORK_OK;
    *is_empty = true;
    for (size_t i = 0; status == TREEFORK_OK && i < x->leaf->count; i++) {
        struct treefork_launch plan = {0};
        status = plan_of(x, i, &plan);
        *is_empty = *is_empty && plan.blocks == 0;
    }
    return status;
}

static int launches_run(struct execution *x)
{
    uint64_t number = treefork_region_number(x->region);
    int status = TREEFORK_OK;
    for (size_t i = 0; status == TREEFORK_OK && i < x->leaf->count; i++) {
        struct treefork_launch plan = {0};
        struct treefork_origin origin = {number, x->leaf->first + i};
        status = plan_of(x, i, &plan);
        plan.n_arguments = (size_t)x->region->n_parameters + x->region->n_arrays;
        plan.arguments = x->arguments;
        plan.n_bindings = x->n_bindings;
        plan.bindings = x->bindings;
        if (status == TREEFORK_OK)
            status = treefork_run_region(x->device, &plan, origin);
    }
    return status;
}

static double nanoseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The launches alone, without what was launched or copied before. */
static int launches_time(struct execution *x)
{
    struct treefork_choosing choosing = {.region = x->region,
                                         .device = x->device,
                                         .automatic = x->automatic,
                                         .integers = x->integers};
    int status = treefork_wait(x->device);
    double start = nanoseconds_now();
    if (status == TREEFORK_OK)
        status = launches_run(x);
    if (status == TREEFORK_OK)
        status = treefork_wait(x->device);
    if (status == TREEFORK_OK)
        treefork_watch_add(&choosing, x->leaf->id, nanoseconds_now() - start);
    return status;
}

static int execution_launch(struct execution *x)
{
    return treefork_is_watched(x->device, x->region) ? launches_time(x) : launches_run(x);
}

/* What the region chose, beside what NAME_select would take for it. */
static void choice_print(const struct execution *x)
{
    const char *before = "";
    fprintf(stderr, "%s: ", x->region->name);
    for (size_t i = 0; i < x->region->n_tunables; i++) {
        const struct treefork_parameter_row *row =
            &x->region->parameters[x->region->tunables[i].parameter];
        fprintf(stderr, "%s%s = %lld", before, row->name, (long long)x->integers[row->integer]);
        before = ", ";
    }
    if (x->chosen)
        fprintf(stderr, " %s", x->tuned ? treefork_tuned_words(x->tuned) : "by predicted time");
    if (x->chosen && x->leaf->id != x->leaf_by_case)
        fprintf(stderr, "; the case's leaf is %d", x->leaf_by_case);
    fprintf(stderr, "\n");
}

/* Few threads because only exact divisors may be chosen, or none at all. */
static void divisions_print(struct execution *x)
{
    struct treefork_launch plan = {0};
    const struct treefork_machine *machine = treefork_device_machine(x->device);
    bool is_narrow = x->chosen > 0 && plan_of(x, 0, &plan) == TREEFORK_OK &&
                     plan.threads < machine->value[TREEFORK_W_B];
    if (x->is_held)
        fprintf(stderr, "%s: a tunable is not chosen: not exact: %s\n", x->region->name,
                x->region->divisions);
    else if (is_narrow && *x->region->divisions)
        fprintf(stderr, "%s: blocks of %lld threads, because these must be exact: %s\n",
                x->region->name, (long long)plan.threads, x->region->divisions);
}

/* TREEFORK_TRACE: the short form of an explanation, at every run. */
static void execution_trace(struct execution *x)
{
    struct treefork_prediction prediction = {0};
    treefork_int threads = 0;
    treefork_chosen(x->region->name, x->device, x->trace);
    if (x->is_changed)
        choice_print(x);
    divisions_print(x);
    if (treefork_evaluation_predict(&x->evaluation, x->leaf, &threads, &prediction) == TREEFORK_OK)
        treefork_predicted(x->region->name, &prediction);
}

static struct treefork_run run_of(const struct execution *x)
{
    return (struct treefork_run){.region = x->region,
                               .machine = treefork_device_machine(x->device),
                               .integers = x->integers,
                               .leaf = x->leaf->id,
                               .is_changed = x->is_changed,
                               .is_chosen = x->chosen > 0,
                               .is_forced = x->forced > 0,
                               .is_tuned = x->tuned > 0,
                                 .measured = x->measured};
}

static void execution_report(struct execution *x)
{
    struct treefork_run run = run_of(x);
    treefork_run_keep(&run, x->device);
    if (x->switches.explain && treefork_explains())
        treefork_run_print(&run);
    if (x->trace)
        execution_trace(x);
}

/* --- runs that repeat ------------------------------------------------------------------------ */

/* Does nothing but the tables, the device and the arguments decide what a run does? */
static bool may_repeat(const struct execution *x)
{
    return !x->switches.trace && !x->switches.explain && !x->switches.force && !x->switches.set &&
           !x->device->watch && !x->region->checked;
}

static bool serial_ran(void)
{
    return atomic_load_explicit(&serial_has_run, memory_order_relaxed);
}

static void repeat_keep(struct execution *x)
{
    const struct treefork_region *region = x->region;
    struct treefork_repeat *r = treefork_repeat_new(x->device, region, x->leaf);
    treefork_int bytes = 0;
    if (!r)
        return;
    r->generation = x->generation;
    r->automatic = x->automatic;
    r->after_serial = serial_ran();
    memcpy(r->integers, x->integers, region->n_integers * sizeof *r->integers);
    memcpy(r->given, x->given, region->n_integers * sizeof *r->given);
    memcpy(r->bindings, x->bindings, x->n_bindings * sizeof *r->bindings);
    r->n_bindings = x->n_bindings;
    r->run = run_of(x);
    r->run.integers = r->integers;
    for (size_t i = 0; i < x->leaf->count; i++)
        plan_of(x, i, &r->plans[i]);
    for (size_t i = 0; i < region->n_arrays; i++) {
        treefork_evaluation_bytes(&x->evaluation, i, &bytes);
        r->bytes[i] = (size_t)bytes;
        r->access[i] = array_access(x, i);
    }
}

static int repeat_launch(struct execution *x, const struct treefork_repeat *r)
{
    int status = TREEFORK_OK;
    for (size_t i = 0; status == TREEFORK_OK && i < x->region->n_arrays; i++) {
        struct treefork_argument *argument = &x->arguments[x->region->n_parameters + i];
        argument->type = TREEFORK_BUFFER;
        status = treefork_buffer_take(x->device, x->arrays[i], r->bytes[i], r->access[i], false,
                                      &argument->value.buffer);
    }
    if (status == TREEFORK_OK)
        treefork_run_keep(&r->run, x->device);
    for (size_t i = 0; status == TREEFORK_OK && i < r->leaf->count; i++) {
        struct treefork_launch plan = r->plans[i];
        struct treefork_origin origin = {r->region, r->leaf->first + i};
        plan.n_arguments = (size_t)x->region->n_parameters + x->region->n_arrays;
        plan.arguments = x->arguments;
        plan.n_bindings = r->n_bindings;
        plan.bindings = r->bindings;
        status = treefork_run_region(x->device, &plan, origin);
    }
    return status;
}

/* False if there is no such run; *status is then as it was. */
static bool execution_repeat(struct execution *x, int *status)
{
    pthread_mutex_lock(&x->device->mutex);
    const struct treefork_repeat *r =
        may_repeat(x) ? treefork_repeat_find(x->device, x->region, x->arguments, x->automatic,
                                             serial_ran())
                      : NULL;
    if (r) {
        x->integers = r->integers;
        if (r->run.is_changed)
            arguments_choose(x);
        x->integers = NULL;
        *status = repeat_launch(x, r);
    }
    pthread_mutex_unlock(&x->device->mutex);
    return r != NULL;
}

/* One step of the device: no other thread's copies and launches come between. */
static int execution_step(struct execution *x)
{
    pthread_mutex_lock(&x->device->mutex);
    int status = execution_fits(x);
    if (!status)
        status = execution_use(x);
    if (!status)
        execution_report(x);
    if (!status)
        status = execution_launch(x);
    if (!status && may_repeat(x))
        repeat_keep(x);
    pthread_mutex_unlock(&x->device->mutex);
    return status;
}

static int execution_run(struct execution *x)
{
    bool is_empty;
    if (!x->region)
        return treefork_fail(TREEFORK_ARGUMENT, "there is no such region");
    int status = treefork_layout_check("region", x->region->name, x->region->layout);
    if (status)
        return status;
    x->device = treefork_default();
    if (x->device && execution_repeat(x, &status))
        return status;
    status = execution_begin(x);
    if (status == TREEFORK_OK)
        status = execution_tune(x);
    if (status == TREEFORK_OK)
        status = execution_choose(x);
    if (status == TREEFORK_OK)
        status = execution_plan(x, &is_empty);
    return status || is_empty ? status : execution_step(x);
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
    atomic_store_explicit(&serial_has_run, 1, memory_order_relaxed);
    if (!treefork_failed(name, status))
        abort();
    int back = serial_check(x);
    if (back == TREEFORK_OK)
        back = treefork_host(x->device, NULL, TREEFORK_READ | TREEFORK_WRITE);
    if (back != TREEFORK_OK)
        treefork_stop(name, back);
}

static int region_run(struct execution *x)
{
    int status = execution_run(x);
    execution_end(x);
    if (status != TREEFORK_OK)
        region_failed(x, status);
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
                          .switches = treefork_switches_now()};
    return x.switches.trace && treefork_tracing() ? region_run_traced(&x) : region_run(&x);
}

/* --- in the user's functions ----------------------------------------------------------------- */

static bool data_is_away(void)
{
    return atomic_load_explicit(&region_has_run, memory_order_relaxed);
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
    if (data_is_away())
        treefork_discard(treefork_default(), array, bytes);
}
