/* Regions and functions of a generated program at run time. In: their tables and arguments; out: a
   leaf chosen and launched, or the tunables that are predicted to be best. Any failure of a region
   has brought the data back to the host when it returns, so that the serial elision may run. A
   forced leaf must still have what its fits asks of the parameters (not of the machine). */
#include "runtime/tables.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Has a region run? Then there may be data on the device. */
static atomic_int region_has_run;

/* Has the serial code of a region run? Then scratch arrays may have values on the host. */
static atomic_int serial_has_run;

/* What NAME_auto chose for the regions of a function, innermost call first. */
struct preference {
    struct preference *outer;
    const struct treefork_auto *function;
    int leaves[]; /* by region of the function */
};
static _Thread_local struct preference *preferences;

/* 0: none. */
static int preferred_leaf(const struct treefork_region *region)
{
    for (const struct preference *p = preferences; p; p = p->outer)
        for (size_t i = 0; i < p->function->n_regions; i++)
            if (p->function->regions[i].region == region)
                return p->leaves[i];
    return 0;
}

/* --- one region ------------------------------------------------------------------------------ */

struct execution {
    const struct treefork_region *region;
    struct treefork_device *device;
    struct treefork_argument *arguments;
    const void *const *arrays;
    struct treefork_evaluation evaluation;
    treefork_int *integers;
    struct treefork_binding *bindings;
    size_t n_bindings;
    const struct treefork_leaf_row *leaf;
    int leaf_by_case;        /* what NAME_select takes */
    bool is_preferred;       /* NAME_auto has chosen the leaf */
    struct treefork_trace trace;
};

static treefork_int argument_integer(const struct treefork_argument *argument)
{
    bool is_unsigned = argument->type == TREEFORK_U8 || argument->type == TREEFORK_U16 ||
                       argument->type == TREEFORK_U32 || argument->type == TREEFORK_U64;
    return is_unsigned ? (treefork_int)argument->value.u : argument->value.i;
}

static int execution_begin(struct execution *x)
{
    const struct treefork_region *region = x->region;
    int status = treefork_evaluation_new(region, &x->evaluation);
    if (status)
        return status;
    x->integers = calloc((size_t)region->n_integers + 1, sizeof *x->integers);
    x->bindings = calloc((size_t)region->n_parameters + 1, sizeof *x->bindings);
    if (!x->integers || !x->bindings)
        return treefork_fail(TREEFORK_MEMORY, "no memory for the arguments of region %s",
                             region->name);
    for (size_t i = 0; i < region->n_parameters; i++) {
        const struct treefork_parameter_row *row = &region->parameters[i];
        treefork_int value =
            row->integer == TREEFORK_NONE && !row->bound ? 0 : argument_integer(&x->arguments[i]);
        if (row->integer != TREEFORK_NONE)
            x->integers[row->integer] = value;
        if (row->bound)
            x->bindings[x->n_bindings++] = (struct treefork_binding){row->name, value};
    }
    x->device = treefork_default();
    if (!x->device)
        return TREEFORK_NO_DEVICE;
    atomic_store_explicit(&region_has_run, 1, memory_order_relaxed);
    treefork_evaluation_set(&x->evaluation, treefork_device_machine(x->device), x->integers);
    return TREEFORK_OK;
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
    x->trace = (struct treefork_trace){0};
    treefork_evaluation_set(&x->evaluation, treefork_device_machine(x->device), x->integers);
    treefork_evaluation_fits(&x->evaluation, x->leaf, &x->trace);
}

static int execution_choose(struct execution *x)
{
    int leaf = x->region->select(treefork_device_machine(x->device), x->integers, &x->trace);
    if (leaf < 0)
        return -leaf;
    int preferred = preferred_leaf(x->region), forced = treefork_forced(x->region->name);
    x->leaf_by_case = leaf;
    x->is_preferred = preferred > 0 && forced <= 0;
    if (preferred > 0)
        leaf = preferred;
    if (forced > 0) {
        int status = force_check(x, forced);
        if (status)
            return status;
        leaf = forced;
    }
    x->leaf = treefork_leaf_find(x->region, leaf);
    if (x->leaf && leaf != x->leaf_by_case)
        needs_explain(x);
    x->trace.variant = leaf;
    return x->leaf ? TREEFORK_OK : treefork_fail(TREEFORK_ARGUMENT, "there is no leaf %d", leaf);
}

static unsigned array_access(const struct treefork_array_row *array)
{
    bool serial = atomic_load_explicit(&serial_has_run, memory_order_relaxed);
    return serial ? array->access & ~(unsigned)TREEFORK_SCRATCH : array->access;
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
        status = (region->checked ? treefork_use_checked : treefork_use)(
            x->device, x->arrays[i], (size_t)bytes, array_access(&region->arrays[i]),
            &argument->value.buffer);
    }
    return status;
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

static int execution_launch(struct execution *x)
{
    int status = TREEFORK_OK;
    for (size_t i = 0; status == TREEFORK_OK && i < x->leaf->count; i++) {
        struct treefork_launch plan = {0};
        status = plan_of(x, i, &plan);
        plan.n_arguments = (size_t)x->region->n_parameters + x->region->n_arrays;
        plan.arguments = x->arguments;
        plan.n_bindings = x->n_bindings;
        plan.bindings = x->bindings;
        if (status == TREEFORK_OK)
            status = treefork_run(x->device, &plan);
    }
    return status;
}

static void execution_tell(struct execution *x)
{
    struct treefork_prediction prediction = {0};
    treefork_chosen(x->region->name, x->device, &x->trace);
    if (treefork_tracing() && x->is_preferred && x->leaf->id != x->leaf_by_case)
        fprintf(stderr, "%s: by predicted time; the case's leaf is %d\n", x->region->name,
                x->leaf_by_case);
    if (treefork_tracing() &&
        treefork_evaluation_predict(&x->evaluation, x->leaf, &prediction) == TREEFORK_OK)
        treefork_predicted(x->region->name, &prediction);
}

static int execution_run(struct execution *x)
{
    bool is_empty;
    int status = execution_begin(x);
    if (status == TREEFORK_OK)
        status = execution_choose(x);
    if (status == TREEFORK_OK)
        status = execution_plan(x, &is_empty);
    if (status || is_empty)
        return status;
    status = execution_use(x);
    if (status)
        return status;
    execution_tell(x);
    return execution_launch(x);
}

/* A region failed: its data comes back and the serial code runs, or the program stops. */
static void region_failed(const char *name, struct treefork_device *device, int status)
{
    atomic_store_explicit(&serial_has_run, 1, memory_order_relaxed);
    if (!treefork_failed(name, status))
        abort();
    int back = device ? treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE) : TREEFORK_OK;
    if (back != TREEFORK_OK)
        treefork_stop(name, back);
}

int treefork_region_run(const struct treefork_region *region, struct treefork_argument *arguments,
                        const void *const *arrays)
{
    struct execution x = {.region = region, .arguments = arguments, .arrays = arrays};
    int status = execution_run(&x);
    execution_end(&x);
    if (status != TREEFORK_OK)
        region_failed(region ? region->name : "?", x.device, status);
    return status;
}

/* --- NAME_auto ------------------------------------------------------------------------------- */

struct search {
    const struct treefork_auto *function;
    const struct treefork_machine *machine;
    treefork_int *values; /* of the function */
    struct treefork_evaluation *evaluations; /* by region */
    treefork_int **integers; /* by region, its parameters */
    int *leaves; /* by region */
    treefork_int *best_values;
    struct treefork_prediction best;
    bool found;
    int refused;             /* status of the first candidate that a region refused; 0 = none */
    char reason[256];        /* why */
};

static void search_free(struct search *s)
{
    for (size_t i = 0; i < s->function->n_regions; i++) {
        if (s->evaluations)
            treefork_evaluation_free(&s->evaluations[i]);
        if (s->integers)
            free(s->integers[i]);
    }
    free(s->evaluations);
    free(s->integers);
    free(s->leaves);
    free(s->best_values);
}

static int search_begin(struct search *s)
{
    const struct treefork_auto *f = s->function;
    size_t n = f->n_regions;
    s->evaluations = calloc(n + 1, sizeof *s->evaluations);
    s->integers = calloc(n + 1, sizeof *s->integers);
    s->leaves = calloc(n + 1, sizeof *s->leaves);
    s->best_values = calloc((size_t)f->n_values + 1, sizeof *s->best_values);
    bool ok = s->evaluations && s->integers && s->leaves && s->best_values;
    for (size_t i = 0; ok && i < n; i++) {
        int status = treefork_evaluation_new(f->regions[i].region, &s->evaluations[i]);
        if (status)
            return status;
        s->integers[i] = calloc((size_t)f->regions[i].region->n_integers + 1, sizeof **s->integers);
        ok = s->integers[i] != NULL;
    }
    return ok ? TREEFORK_OK
              : treefork_fail(TREEFORK_MEMORY, "no memory to choose the tunables of %s", f->name);
}

/* Candidate number `candidate`; false behind the last. */
static bool candidate_set(struct search *s, size_t candidate)
{
    for (size_t i = 0; i < s->function->n_tunables; i++) {
        const struct treefork_tunable_row *row = &s->function->tunables[i];
        s->values[row->value] = (treefork_int)1 << candidate % row->choices;
        candidate /= row->choices;
    }
    return candidate == 0;
}

static void region_set(struct search *s, size_t i)
{
    const struct treefork_auto_region *row = &s->function->regions[i];
    for (size_t k = 0; k < row->region->n_integers; k++)
        s->integers[i][k] = row->values[k] == TREEFORK_NONE ? 0 : s->values[row->values[k]];
    treefork_evaluation_set(&s->evaluations[i], s->machine, s->integers[i]);
}

/* The predicted time of all regions; false if one has no leaf. */
static bool candidate_time(struct search *s, struct treefork_prediction *time)
{
    const struct treefork_auto *f = s->function;
    *time = (struct treefork_prediction){0};
    for (size_t i = 0; i < f->n_regions; i++) {
        region_set(s, i);
        if (!treefork_evaluation_exact(&s->evaluations[i]))
            return false;
    }
    for (size_t i = 0; i < f->n_regions; i++) {
        struct treefork_prediction more = {0};
        int leaf = f->regions[i].region->select(s->machine, s->integers[i], NULL);
        bool legal = leaf >= 0;
        if (!legal && !s->refused) {
            s->refused = -leaf;
            snprintf(s->reason, sizeof s->reason, "%s: %s", f->regions[i].region->name,
                     treefork_message());
        }
        s->leaves[i] = legal ? treefork_evaluation_best(&s->evaluations[i], &more) : 0;
        if (s->leaves[i] == 0)
            return false;
        treefork_prediction_add(time, &more);
    }
    return true;
}

static void search_run(struct search *s, struct preference *chosen)
{
    for (size_t candidate = 0; candidate_set(s, candidate); candidate++) {
        struct treefork_prediction time;
        if (!candidate_time(s, &time) || (s->found && !treefork_faster(&time, &s->best)))
            continue;
        s->found = true;
        s->best = time;
        for (size_t i = 0; i < s->function->n_values; i++)
            s->best_values[i] = s->values[i];
        for (size_t i = 0; i < s->function->n_regions; i++)
            chosen->leaves[i] = s->leaves[i];
    }
}

static int function_choose(const struct treefork_auto *function, treefork_int *values,
                           struct preference *chosen)
{
    struct treefork_machine any;
    struct treefork_device *device = treefork_default();
    treefork_machine_unknown(&any);
    struct search s = {.function = function,
                       .machine = device ? treefork_device_machine(device) : &any,
                       .values = values};
    int status = search_begin(&s);
    if (!device && !treefork_environment_is("TREEFORK_QUIET", "1") &&
        treefork_failure_is_new(function->name, TREEFORK_NO_DEVICE))
        fprintf(stderr, "treefork: %s_auto: no device: the tunables are chosen for an unknown "
                "machine, and the serial program runs\n", function->name);
    if (status == TREEFORK_OK)
        search_run(&s, chosen);
    if (s.found)
        memcpy(values, s.best_values, function->n_values * sizeof *values);
    if (status == TREEFORK_OK && !s.found && s.refused)
        status = treefork_fail(s.refused, "%s", s.reason);
    else if (status == TREEFORK_OK && !s.found)
        status = treefork_fail(TREEFORK_ARGUMENT, "no candidate for the tunables fits%s%s",
                               *function->exact ? "; these divisions must be exact: " : "",
                               function->exact);
    search_free(&s);
    return status;
}

int treefork_auto_begin(const struct treefork_auto *function, treefork_int *values)
{
    if (!function)
        return treefork_fail(TREEFORK_ARGUMENT, "there is no such function");
    int status = treefork_layout_check("function", function->name, function->layout);
    if (status)
        return status;
    struct preference *chosen =
        calloc(1, sizeof *chosen + function->n_regions * sizeof *chosen->leaves);
    if (!chosen)
        return treefork_fail(TREEFORK_MEMORY, "no memory to choose the tunables of %s",
                             function->name);
    status = function_choose(function, values, chosen);
    if (status) {
        free(chosen);
        return status;
    }
    chosen->function = function;
    chosen->outer = preferences;
    preferences = chosen;
    return TREEFORK_OK;
}

void treefork_auto_end(const struct treefork_auto *function)
{
    struct preference *last = preferences;
    if (!last || last->function != function)
        return;
    preferences = last->outer;
    free(last);
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
        treefork_scratch_end(treefork_default());
    treefork_before_write(function);
}

void treefork_array_end(const void *array, size_t bytes)
{
    if (data_is_away())
        treefork_discard(treefork_default(), array, bytes);
}
