/* Regions. In: the tables of a region with its arguments, as generated code gives them to
   treefork_region_run. Out: tasks of all launches of a leaf, queued; or a status, with all data
   back and nothing computed, so that the serial code runs.

   The leaf is the first of the table of functions that the parameters allow, on every process the
   same. Tunables that a region may choose are those of the model for a processor that nobody
   asked (runtime/host.def), so that every process chooses alike, or what TREEFORK_SET gives; one
   choice holds until other parameters change than those that loops of the host move. */
#include "runtime/repeat.h"
#include "starpu/parts.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Threads of a block keep their scalars on the stack. */
enum { THREADS_MOST = 16384, BLOCKS_OF_PART = 4 };

/* What a region has chosen, and for which integers; in a list. */
struct choice {
    struct choice *next;
    const struct treefork_region *region;
    const struct treefork_starpu_function *functions;
    const struct treefork_leaf_row *leaf;
    double nanoseconds;
    int automatic;
    treefork_int *given, *chosen; /* n_integers each */
};

/* Memory of a partial array; in a list. */
struct partial {
    struct partial *next;
    const struct treefork_region *region;
    size_t array, bytes;
    void *memory;
};

static struct choice *choices;
static struct partial *partials;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool has_run;

struct starting {
    struct treefork_starpu_run_of run;
    struct treefork_evaluation evaluation;
    const struct treefork_starpu_table *table;
    const void *const *arrays;
    treefork_int *integers;
    struct treefork_machine machine;
    int automatic;
};

static int memory_fail(const struct treefork_region *region)
{
    return treefork_fail(TREEFORK_MEMORY, "no memory for region %s", region->name);
}

/* --- the choice ------------------------------------------------------------------------------- */

static void values_set(struct starting *s)
{
    treefork_evaluation_set(&s->evaluation, &s->machine, s->integers);
}

static void integers_read(struct starting *s)
{
    const struct treefork_region *region = s->run.region;
    for (size_t i = 0; i < region->n_parameters; i++) {
        uint16_t integer = region->parameters[i].integer;
        if (integer != TREEFORK_NONE)
            s->integers[integer] = treefork_argument_integer(&s->run.arguments[i]);
    }
}

static void tunables_write(struct starting *s)
{
    const struct treefork_region *region = s->run.region;
    for (size_t i = 0; i < region->n_tunables; i++) {
        uint16_t parameter = region->tunables[i].parameter;
        struct treefork_argument *argument = &s->run.arguments[parameter];
        treefork_int value = s->integers[region->parameters[parameter].integer];
        if (treefork_argument_is_unsigned(argument))
            argument->value.u = (uint64_t)value;
        else
            argument->value.i = value;
    }
}

/* Takes tunables of TREEFORK_SET; false if it has none of the region. */
static bool tunables_set(struct starting *s)
{
    const struct treefork_region *region = s->run.region;
    bool any = false;
    for (size_t i = 0; i < region->n_tunables; i++) {
        const struct treefork_parameter_row *row =
            &region->parameters[region->tunables[i].parameter];
        struct treefork_text name = {0};
        treefork_text_add(&name, "%s.%s", region->name, row->name);
        int value = name.text ? treefork_setting(TREEFORK_SETTING_TUNABLE, name.text) : 0;
        if (value > 0)
            s->integers[row->integer] = value;
        any |= value > 0;
        free(name.text);
    }
    return any;
}

/* Can the leaf run with the integers as they are? */
static bool leaf_runs(struct starting *s, const struct treefork_leaf_row *leaf)
{
    struct treefork_trace needs = {0};
    values_set(s);
    return treefork_evaluation_fits(&s->evaluation, leaf, &needs) &&
           s->run.region->select(&s->machine, s->integers, NULL) >= 0;
}

/* Tunables for the leaf, by the model. */
static void tunables_choose(struct starting *s, const struct treefork_leaf_row *leaf)
{
    struct treefork_choosing choosing = {.region = s->run.region,
                                         .machine = &s->machine,
                                         .evaluation = &s->evaluation,
                                         .automatic = s->automatic,
                                         .forced = leaf->id,
                                         .integers = s->integers};
    const struct treefork_region *region = s->run.region;
    size_t bytes = region->n_integers * sizeof *s->integers;
    treefork_int *before = malloc(bytes + 1);
    if (!before)
        return;
    memcpy(before, s->integers, bytes);
    if (treefork_choose(&choosing))
        memcpy(s->integers, before, bytes);
    free(before);
}

/* The least extent along the cut of the launches that are cut; -1 if none is. */
static treefork_int extent_least(struct starting *s, const struct treefork_leaf_row *leaf)
{
    treefork_int least = -1;
    values_set(s);
    for (size_t i = 0; i < leaf->count; i++) {
        struct treefork_cut cut = treefork_cut_of(&s->evaluation, leaf->first + i);
        if (cut.extent > 0 && (least < 0 || cut.extent < least))
            least = cut.extent;
    }
    return least;
}

/* Halves the tunable if there are more blocks along the cut then; false, with nothing changed,
   if not. */
static bool tunable_halve(struct starting *s, const struct treefork_leaf_row *leaf, size_t tunable)
{
    const struct treefork_region *region = s->run.region;
    uint16_t parameter = region->tunables[tunable].parameter;
    treefork_int *value = &s->integers[region->parameters[parameter].integer], before = *value;
    treefork_int extent = extent_least(s, leaf);
    bool is_ours = region->tunables[tunable].always || s->automatic;
    if (!is_ours || before < 2 || before % 2 || extent < 0)
        return false;
    *value = before / 2;
    if (extent_least(s, leaf) > extent && treefork_evaluation_exact(&s->evaluation) &&
        leaf_runs(s, leaf))
        return true;
    *value = before;
    return false;
}

/* Smaller blocks, until each part has a few: the model knows nothing of parts. */
static void tunables_share(struct starting *s, const struct treefork_leaf_row *leaf)
{
    treefork_int wanted = BLOCKS_OF_PART * (treefork_int)treefork_ranks_get()->parts;
    bool changes = true;
    while (changes && extent_least(s, leaf) < wanted) {
        changes = false;
        for (size_t i = 0; i < s->run.region->n_tunables && !changes; i++)
            changes = tunable_halve(s, leaf, i);
    }
}

static bool functions_take(struct starting *s, const struct treefork_starpu_function *functions)
{
    const struct treefork_leaf_row *leaf = treefork_leaf_find(s->run.region, functions->leaf);
    if (!leaf)
        return false;
    if (!tunables_set(s)) {
        tunables_choose(s, leaf);
        tunables_share(s, leaf);
    }
    if (!leaf_runs(s, leaf))
        return false;
    s->run.leaf = leaf;
    s->run.functions = functions;
    return true;
}

static int leaf_choose(struct starting *s)
{
    const struct treefork_region *region = s->run.region;
    bool any = false;
    for (size_t i = 0; i < s->table->count && !s->run.leaf; i++) {
        const struct treefork_starpu_function *f = &s->table->functions[i];
        if (f->region != region || f->launch != 0)
            continue;
        any = true;
        integers_read(s);
        functions_take(s, f);
    }
    if (s->run.leaf)
        return TREEFORK_OK;
    return any ? treefork_fail(TREEFORK_LAUNCH, "its arguments allow no leaf that has functions "
                                                "for tasks")
               : treefork_fail(TREEFORK_LAUNCH, "it has no functions for tasks: a block of its "
                                                "kernels cannot be one thread");
}

static double leaf_predict(struct starting *s)
{
    struct treefork_prediction prediction = {0};
    treefork_int threads = 0;
    int status = treefork_evaluation_predict(&s->evaluation, s->run.leaf, &threads, &prediction);
    return status || prediction.nanoseconds > 1e17 ? 0 : prediction.nanoseconds;
}

/* Does the parameter decide a choice: an integer that the region is given, and that no loop of the
   host moves? */
static bool decides(const struct treefork_region *region, size_t parameter)
{
    for (size_t i = 0; i < region->n_tunables; i++)
        if (region->tunables[i].parameter == parameter)
            return false;
    return region->parameters[parameter].integer != TREEFORK_NONE &&
           !region->parameters[parameter].varies;
}

static bool choice_serves(const struct choice *c, const struct starting *s)
{
    const struct treefork_region *region = s->run.region;
    if (c->region != region || c->automatic != s->automatic)
        return false;
    for (size_t i = 0; i < region->n_parameters; i++) {
        uint16_t integer = region->parameters[i].integer;
        if (decides(region, i) && c->given[integer] != s->integers[integer])
            return false;
    }
    return true;
}

/* Takes what was chosen before, if it is still possible. */
static bool choice_take(struct starting *s)
{
    const struct treefork_region *region = s->run.region;
    const struct choice *c = choices;
    integers_read(s);
    while (c && !choice_serves(c, s))
        c = c->next;
    if (!c)
        return false;
    for (size_t i = 0; i < region->n_tunables; i++) {
        uint16_t integer = region->parameters[region->tunables[i].parameter].integer;
        s->integers[integer] = c->chosen[integer];
    }
    if (!leaf_runs(s, c->leaf))
        return false;
    s->run.leaf = c->leaf;
    s->run.functions = c->functions;
    s->run.nanoseconds = c->nanoseconds;
    return true;
}

static void choice_keep(const struct starting *s, const treefork_int *given)
{
    size_t bytes = s->run.region->n_integers * sizeof *given;
    struct choice *c = malloc(sizeof *c + 2 * bytes);
    if (!c)
        return;
    *c = (struct choice){.next = choices,
                         .region = s->run.region,
                         .functions = s->run.functions,
                         .leaf = s->run.leaf,
                         .nanoseconds = s->run.nanoseconds,
                         .automatic = s->automatic,
                         .given = (treefork_int *)(c + 1)};
    c->chosen = c->given + s->run.region->n_integers;
    memcpy(c->given, given, bytes);
    memcpy(c->chosen, s->integers, bytes);
    choices = c;
}

static int choose(struct starting *s)
{
    if (choice_take(s))
        return TREEFORK_OK;
    size_t n = s->run.region->n_integers;
    treefork_int *given = malloc((n + 1) * sizeof *given);
    if (!given)
        return memory_fail(s->run.region);
    integers_read(s);
    memcpy(given, s->integers, n * sizeof *given);
    int status = leaf_choose(s);
    if (!status) {
        s->run.nanoseconds = leaf_predict(s);
        choice_keep(s, given);
    }
    free(given);
    return status;
}

/* --- arrays ----------------------------------------------------------------------------------- */

/* Memory of a partial array, which stays as long as it is large enough. */
static void *partial_memory(const struct treefork_region *region, size_t array, size_t bytes)
{
    struct partial *p = partials;
    while (p && (p->region != region || p->array != array))
        p = p->next;
    if (!p) {
        p = calloc(1, sizeof *p);
        if (!p)
            return NULL;
        *p = (struct partial){.next = partials, .region = region, .array = array};
        partials = p;
    }
    if (p->memory && p->bytes >= bytes)
        return p->memory;
    if (p->memory)
        treefork_segments_forget(p->memory, p->bytes);
    free(p->memory);
    p->memory = malloc(bytes ? bytes : 1);
    p->bytes = bytes;
    return p->memory;
}

static int array_take(struct starting *s, size_t array)
{
    const struct treefork_region *region = s->run.region;
    treefork_int bytes;
    int status = treefork_evaluation_bytes(&s->evaluation, array, &bytes);
    if (status)
        return status;
    s->run.bytes[array] = (size_t)bytes;
    if (region->arrays[array].access & TREEFORK_PARTIAL)
        s->run.arrays[array] = partial_memory(region, array, (size_t)bytes);
    else
        s->run.arrays[array] = s->arrays[array];
    bool lacks = !s->run.arrays[array] && !(region->arrays[array].access & TREEFORK_OPTIONAL);
    return lacks ? treefork_fail(TREEFORK_ARGUMENT, "array %s is NULL", region->arrays[array].name)
                 : TREEFORK_OK;
}

static bool arrays_meet(const struct starting *s, size_t a, size_t b)
{
    uintptr_t x = (uintptr_t)s->run.arrays[a], y = (uintptr_t)s->run.arrays[b];
    unsigned access = s->run.region->arrays[a].access | s->run.region->arrays[b].access;
    return x && y && access & TREEFORK_WRITE && x < y + s->run.bytes[b] &&
           y < x + s->run.bytes[a];
}

static int arrays_take(struct starting *s)
{
    int status = TREEFORK_OK;
    for (size_t a = 0; a < s->run.region->n_arrays && !status; a++)
        status = array_take(s, a);
    for (size_t a = 0; a < s->run.region->n_arrays && !status; a++)
        for (size_t b = 0; b < a && !status; b++)
            if (arrays_meet(s, a, b))
                status = treefork_fail(TREEFORK_ARGUMENT, "two of its arrays overlap");
    return status;
}

/* --- launches --------------------------------------------------------------------------------- */

static int launch_plan(struct starting *s, size_t launch, struct treefork_launch *plan)
{
    const struct treefork_leaf_row *leaf = s->run.leaf;
    int status = treefork_evaluation_plan(
        &s->evaluation, &s->run.region->launches[leaf->first + launch], leaf->id, plan);
    if (!status && plan->threads > THREADS_MOST)
        status = treefork_fail(TREEFORK_LAUNCH, "a block has more than %d threads", THREADS_MOST);
    return status;
}

/* Every launch is planned before the first one is queued. */
static int launches_check(struct starting *s)
{
    int status = TREEFORK_OK;
    for (size_t i = 0; i < s->run.leaf->count && !status; i++) {
        struct treefork_launch plan = {0};
        status = launch_plan(s, i, &plan);
    }
    return status;
}

static void launches_submit(struct starting *s)
{
    for (size_t i = 0; i < s->run.leaf->count; i++) {
        struct treefork_launch plan = {0};
        if (launch_plan(s, i, &plan) == TREEFORK_OK && plan.blocks > 0)
            treefork_parts_submit(&s->run, i, &plan);
    }
}

/* Scalars, which host code touches without a word. */
static void scalars_home(const struct starting *s)
{
    for (size_t i = 0; i < s->run.region->n_arrays; i++)
        if (s->run.region->arrays[i].access & TREEFORK_HOME && s->run.arrays[i])
            treefork_segments_home(s->run.arrays[i], s->run.bytes[i]);
}

/* --- a region --------------------------------------------------------------------------------- */

static int starting_begin(struct starting *s)
{
    const struct treefork_region *region = s->run.region;
    int status = treefork_layout_check("region", region->name, region->layout);
    if (!status)
        status = treefork_ranks_start();
    if (!status)
        status = treefork_evaluation_new(region, &s->evaluation);
    if (status)
        return status;
    s->run.evaluation = &s->evaluation;
    s->integers = calloc(region->n_integers + 1u, sizeof *s->integers);
    s->run.arrays = calloc(region->n_arrays + 1u, sizeof *s->run.arrays);
    s->run.bytes = calloc(region->n_arrays + 1u, sizeof *s->run.bytes);
    treefork_machine_clear(&s->machine, "host");
    treefork_machine_host(&s->machine);
    s->machine.value[TREEFORK_T_B] = THREADS_MOST;
    return s->integers && s->run.arrays && s->run.bytes ? TREEFORK_OK : memory_fail(region);
}

static void starting_end(struct starting *s)
{
    treefork_evaluation_free(&s->evaluation);
    free(s->integers);
    free(s->run.arrays);
    free(s->run.bytes);
}

static int region_start(struct starting *s)
{
    int status = starting_begin(s);
    if (!status)
        status = choose(s);
    if (status)
        return status;
    tunables_write(s);
    values_set(s);
    status = arrays_take(s);
    if (!status)
        status = launches_check(s);
    if (status)
        return status;
    has_run = true;
    launches_submit(s);
    scalars_home(s);
    return TREEFORK_OK;
}

/* All data is home for the serial code. */
static void region_is_serial(const struct treefork_region *region, int status)
{
    if (!treefork_failed(region->name, status))
        abort();
    treefork_segments_home(NULL, SIZE_MAX);
}

int treefork_starpu_region(const struct treefork_region *region,
                           struct treefork_argument *arguments, const void *const *arrays,
                           int automatic, const struct treefork_starpu_table *table)
{
    struct starting s = {.run = {.region = region, .arguments = arguments},
                         .table = table,
                         .arrays = arrays,
                         .automatic = automatic};
    struct treefork_switches switches = treefork_switches_now();
    s.run.trace = switches.trace && treefork_tracing();
    pthread_mutex_lock(&mutex);
    int status = region_start(&s);
    if (status)
        region_is_serial(region, status);
    starting_end(&s);
    pthread_mutex_unlock(&mutex);
    return status;
}

/* --- in the user's functions ------------------------------------------------------------------ */

void treefork_starpu_before(const char *function)
{
    (void)function;
    pthread_mutex_lock(&mutex);
    if (has_run)
        treefork_segments_home(NULL, SIZE_MAX);
    pthread_mutex_unlock(&mutex);
}

void treefork_starpu_array_end(const void *array, size_t bytes)
{
    pthread_mutex_lock(&mutex);
    if (has_run)
        treefork_segments_forget(array, bytes);
    pthread_mutex_unlock(&mutex);
}

struct treefork_starpu_statistics treefork_starpu_statistics(void)
{
    return treefork_segments_statistics();
}
