/* libtreefork's own explanations inside the page. In: a region's rows (emit/tables_json.c), a
   machine file, the region's integer parameters. Out: what treefork_region_explain says there, as
   JSON, and the leaf alone. The files of runtime/ that read tables are compiled with this one to
   WebAssembly; a generated program differs in one thing: its NAME_select is C, and here the tree's
   conditions are rows, too.

   The browser hands over memory that it got from engine_bytes, and keeps it for as long as the
   region lives. Numbers of 64 bits cross as BigInt. */
#include "page/engine/engine.h"
#include "runtime/explain.h"
#include "runtime/explained_devices.h"
#include <stdlib.h>
#include <string.h>

struct engine_region {
    struct treefork_region region;
    struct treefork_parameter_row *parameters;
    struct treefork_array_row *arrays;
    struct treefork_condition *conditions;
    uint16_t *machine;
    const char **words;
    struct treefork_module *modules;
    const uint16_t *asked;
    struct treefork_evaluation evaluation; /* whose values the conditions compare */
    struct treefork_text answer;
    struct treefork_machine machines[TREEFORK_MEMBERS_MAX];
    struct treefork_several several; /* of these machines */
    struct treefork_explained_devices devices; /* the last answer of engine_devices_told */
};

/* The region whose conditions select() asks: a function of the tables has no other argument. */
static struct engine_region *current;

static int asked_holds(struct treefork_walk *walk, size_t number)
{
    const struct treefork_condition *c = &current->conditions[current->asked[number]];
    treefork_int left, right;
    bool known = treefork_evaluation_value(&current->evaluation, c->left, &left);
    known &= treefork_evaluation_value(&current->evaluation, c->right, &right);
    walk->step = !known;
    return treefork_holds(walk, c->text, left, (enum treefork_relation)c->relation, right);
}

/* NAME_select. */
static int select_leaf(const struct treefork_machine *machine, const treefork_int *values,
                       struct treefork_trace *trace)
{
    const struct treefork_region *region = &current->region;
    struct treefork_walk walk = {trace, 0, 0};
    size_t place = 0;
    treefork_evaluation_set(&current->evaluation, machine, values);
    for (size_t i = 0; i < region->n_checks; i++)
        if (!asked_holds(&walk, i))
            return -treefork_fail(TREEFORK_ARGUMENT, "%s does not hold",
                                  current->conditions[current->asked[i]].text);
    while (place < region->n_steps)
        place = asked_holds(&walk, region->n_checks + place) ? region->steps[place].on_accept
                                                              : region->steps[place].on_refuse;
    int leaf = region->ends[place - region->n_steps].leaf;
    return leaf ? treefork_leaf(&walk, leaf) : treefork_no_leaf(&walk);
}

/* --- a region from its rows ------------------------------------------------------------------ */

void *engine_bytes(size_t count)
{
    return calloc(count + 1, 1);
}

struct row_lists {
    const uint16_t *const *rows;
    const uint32_t *counts;           /* entries of each list of numbers */
    const char *const *texts;
};

/* The text behind one of a list. */
static const char *next(const char *text)
{
    return text + strlen(text) + 1;
}

static bool fill_parameters(struct engine_region *r, const struct row_lists *s)
{
    const char *name = s->texts[TEXTS_NAMES];
    size_t n = s->counts[ROWS_PARAMETERS];
    r->parameters = calloc(n + 1, sizeof *r->parameters);
    for (size_t i = 0; r->parameters && i < n; i++, name = next(name)) {
        r->parameters[i] = (struct treefork_parameter_row){
            .name = name,
            .integer = s->rows[ROWS_PARAMETERS][i],
            .varies = s->rows[ROWS_VARIES][i]};
        r->region.n_integers += r->parameters[i].integer != TREEFORK_NONE;
    }
    r->region.n_parameters = (uint16_t)n;
    r->region.parameters = r->parameters;
    return r->parameters != NULL;
}

static bool fill_arrays(struct engine_region *r, const struct row_lists *s)
{
    size_t n = s->counts[ROWS_BYTES];
    r->arrays = calloc(n + 1, sizeof *r->arrays);
    for (size_t i = 0; r->arrays && i < n; i++)
        r->arrays[i] = (struct treefork_array_row){.name = "", .bytes = s->rows[ROWS_BYTES][i],
                                                   .moves = s->rows[ROWS_MOVES][i]};
    r->region.n_arrays = (uint16_t)n;
    r->region.arrays = r->arrays;
    return r->arrays != NULL;
}

static bool fill_machine(struct engine_region *r, const struct row_lists *s, size_t count)
{
    const char *symbol = s->texts[TEXTS_MACHINE];
    r->machine = calloc(count + 1, sizeof *r->machine);
    for (size_t i = 0; r->machine && i < count; i++, symbol = next(symbol)) {
        int number = treefork_parameter_find(symbol);
        if (number < 0)
            return false;
        r->machine[i] = (uint16_t)number;
    }
    r->region.n_machine = (uint16_t)count;
    r->region.machine = r->machine;
    return r->machine != NULL;
}

static bool fill_conditions(struct engine_region *r, const struct row_lists *s)
{
    const char *text = s->texts[TEXTS_CONDITIONS];
    size_t n = s->counts[ROWS_CONDITIONS] / 3;
    r->conditions = calloc(n + 1, sizeof *r->conditions);
    for (size_t i = 0; r->conditions && i < n; i++, text = next(text)) {
        const uint16_t *row = s->rows[ROWS_CONDITIONS] + 3 * i;
        r->conditions[i] = (struct treefork_condition){text, row[0], row[1], row[2]};
    }
    r->region.conditions = r->conditions;
    r->asked = s->rows[ROWS_ASKED];
    return r->conditions != NULL;
}

static bool fill_words(struct engine_region *r, const struct row_lists *s, size_t count)
{
    const char *word = s->texts[TEXTS_WORDS];
    r->words = calloc(count + 1, sizeof *r->words);
    for (size_t i = 0; r->words && i < count; i++, word = next(word))
        r->words[i] = word;
    r->region.words = r->words;
    return r->words != NULL;
}

/* Rows that are numbers alone are read where they stand. */
static bool fill_rows(struct engine_region *r, const struct row_lists *s)
{
    struct treefork_region *region = &r->region;
    const uint16_t *const *rows = s->rows;
    const uint32_t *counts = s->counts;
    region->operations = (const struct treefork_operation *)rows[ROWS_OPERATIONS];
    region->n_operations = (uint16_t)(counts[ROWS_OPERATIONS] * 2 / sizeof *region->operations);
    region->n_figures = region->n_operations;
    region->lists = rows[ROWS_LISTS];
    region->accesses = (const struct treefork_access_row *)rows[ROWS_ACCESSES];
    region->n_accesses = (uint16_t)(counts[ROWS_ACCESSES] * 2 / sizeof *region->accesses);
    region->figures = (const struct treefork_figure_row *)rows[ROWS_FIGURES];
    region->launches = (const struct treefork_launch_row *)rows[ROWS_LAUNCHES];
    region->leaves = (const struct treefork_leaf_row *)rows[ROWS_LEAVES];
    region->n_leaves = (uint16_t)(counts[ROWS_LEAVES] * 2 / sizeof *region->leaves);
    region->steps = (const struct treefork_step_row *)rows[ROWS_STEPS];
    region->n_steps = (uint16_t)(counts[ROWS_STEPS] * 2 / sizeof *region->steps);
    region->ends = (const struct treefork_end_row *)rows[ROWS_ENDS];
    region->n_ends = (uint16_t)(counts[ROWS_ENDS] * 2 / sizeof *region->ends);
    region->tunables = (const struct treefork_tunable_row *)rows[ROWS_TUNABLES];
    region->n_tunables = (uint16_t)(counts[ROWS_TUNABLES] * 2 / sizeof *region->tunables);
    region->sizes = (const struct treefork_size_row *)rows[ROWS_SIZES];
    region->n_sizes = (uint16_t)(counts[ROWS_SIZES] * 2 / sizeof *region->sizes);
    region->cuts = counts[ROWS_PARTS] ? (const struct treefork_cut_row *)rows[ROWS_CUTS] : NULL;
    region->parts = (const struct treefork_part_row *)rows[ROWS_PARTS];
    size_t n_launches = counts[ROWS_LAUNCHES] * 2 / sizeof *region->launches;
    r->modules = calloc(n_launches + 1, sizeof *r->modules);
    region->modules = r->modules;
    return r->modules != NULL;
}

struct engine_region *engine_region(const uint16_t *const *rows, const uint32_t *counts,
                                            const char *const *texts, const int64_t *constants,
                                            size_t n_constants, size_t n_machine, size_t n_words)
{
    const struct row_lists s = {rows, counts, texts};
    struct engine_region *r = calloc(1, sizeof *r);
    bool done = r != NULL;
    if (done) {
        r->region = (struct treefork_region){.layout = rows[ROWS_COUNTS][0],
                                             .name = texts[TEXTS_NAME],
                                             .function = texts[TEXTS_FUNCTION],
                                             .divisions = texts[TEXTS_DIVISIONS],
                                             .select = select_leaf,
                                             .constants = constants,
                                             .n_constants = (uint16_t)n_constants,
                                             .n_shape = rows[ROWS_COUNTS][1],
                                             .n_checks = rows[ROWS_COUNTS][2],
                                             .exact = rows[ROWS_COUNTS][3],
                                             .exact_varies = rows[ROWS_COUNTS][4]};
        done = fill_parameters(r, &s) && fill_arrays(r, &s) && fill_machine(r, &s, n_machine) &&
               fill_conditions(r, &s) && fill_words(r, &s, n_words) && fill_rows(r, &s) &&
               treefork_evaluation_new(&r->region, &r->evaluation) == TREEFORK_OK;
    }
    return done ? r : NULL;
}

/* --- questions ------------------------------------------------------------------------------- */

struct treefork_machine *engine_machine(const char *text)
{
    struct treefork_machine *machine = calloc(1, sizeof *machine);
    if (machine && treefork_machine_parse(text, strlen(text), "the machine", machine))
        return NULL;
    return machine;
}

int64_t engine_machine_value(const struct treefork_machine *machine, size_t number)
{
    return machine->value[number];
}

void engine_machine_set(struct treefork_machine *machine, size_t number, int64_t value)
{
    machine->value[number] = value;
}

int engine_parameter(const char *symbol)
{
    return treefork_parameter_find(symbol);
}

void engine_machines(struct engine_region *r, const struct treefork_machine *machines, size_t count)
{
    r->several.count = count < TREEFORK_MEMBERS_MAX ? count : TREEFORK_MEMBERS_MAX;
    for (size_t i = 0; i < r->several.count; i++) {
        r->machines[i] = machines[i];
        r->several.machine[i] = &r->machines[i];
    }
}

void engine_devices(struct engine_region *r, const struct treefork_machine *machine, size_t count)
{
    struct treefork_machine machines[TREEFORK_MEMBERS_MAX];
    for (size_t i = 0; i < TREEFORK_MEMBERS_MAX; i++)
        machines[i] = *machine;
    engine_machines(r, machines, count);
}

static const struct treefork_several *several_of(const struct engine_region *r)
{
    return r->several.count > 1 ? &r->several : NULL;
}

/* The explanation of a run, until the next question. */
static const char *run_told(struct engine_region *r, const struct treefork_run *run,
                            int format)
{
    free(r->answer.text);
    r->answer = (struct treefork_text){0};
    int status = treefork_run_explain(run, several_of(r), format, &r->answer);
    return status == TREEFORK_OK ? r->answer.text : NULL;
}

const char *engine_explain(struct engine_region *r, const struct treefork_machine *machine,
                           const int64_t *values)
{
    const struct treefork_run run = {.region = &r->region, .machine = machine, .integers = values};
    current = r;
    return run_told(r, &run, TREEFORK_JSON);
}

const char *engine_choice_told(struct engine_region *r, const struct treefork_machine *machine,
                               const int64_t *values, int format)
{
    size_t bytes = r->region.n_integers * sizeof *values;
    treefork_int *integers = malloc(bytes + 1);
    const char *told = NULL;
    struct treefork_choosing choosing = {.region = &r->region,
                                         .machine = machine,
                                         .evaluation = &r->evaluation,
                                         .automatic = 1,
                                         .integers = integers};
    if (!integers)
        return NULL;
    current = r;
    r->evaluation.several = several_of(r);
    memcpy(integers, values, bytes);
    for (size_t i = 0; i < r->region.n_tunables; i++)
        if (!r->region.tunables[i].always)
            integers[r->parameters[r->region.tunables[i].parameter].integer] = 1;
    if (!r->region.n_tunables)
        treefork_fail(TREEFORK_ARGUMENT, "%s has nothing to choose", r->region.name);
    else if (treefork_choose(&choosing) == TREEFORK_OK) {
        const struct treefork_run run = {.region = &r->region,
                                         .machine = machine,
                                         .integers = integers,
                                         .leaf = choosing.leaf,
                                         .is_changed = choosing.is_changed,
                                         .is_chosen = choosing.leaf != 0};
        told = run_told(r, &run, format);
    }
    free(integers);
    return told;
}

const char *engine_choice(struct engine_region *r, const struct treefork_machine *machine,
                          const int64_t *values)
{
    return engine_choice_told(r, machine, values, TREEFORK_JSON);
}

const struct treefork_explained_devices *engine_devices_told(struct engine_region *r,
                                                             const struct treefork_machine *machine,
                                                             const int64_t *values, int leaf)
{
    const struct treefork_leaf_row *row = treefork_leaf_find(&r->region, leaf);
    treefork_devices_explained_free(&r->devices);
    r->devices = (struct treefork_explained_devices){0};
    treefork_evaluation_set(&r->evaluation, machine, values);
    if (!row || treefork_devices_explain(&r->evaluation, &r->several, row, &r->devices))
        return NULL;
    return &r->devices;
}

/* The bytes that a run of the leaf moves between the devices. */
static double bytes_moved(struct engine_region *r, const struct treefork_leaf_row *leaf,
                          size_t members)
{
    struct treefork_shares shares = treefork_several_shares(&r->evaluation, &r->several, leaf,
                                                            members);
    double sum = 0;
    for (size_t i = 0; i < leaf->count; i++) {
        struct treefork_several_launch launch;
        treefork_several_launch(&r->evaluation, &r->several, &shares, leaf, i, &launch);
        for (size_t from = 0; from < members; from++)
            for (size_t to = 0; to < members; to++)
                sum += launch.bytes[from][to];
    }
    return sum;
}

bool engine_devices_time(struct engine_region *r, const struct treefork_machine *machine,
                         const int64_t *values, int leaf, size_t members,
                         struct treefork_several_time *time, double *bytes)
{
    const struct treefork_leaf_row *row = treefork_leaf_find(&r->region, leaf);
    treefork_evaluation_set(&r->evaluation, machine, values);
    if (!row)
        return false;
    *time = treefork_several_time(&r->evaluation, &r->several, row, members);
    *bytes = bytes_moved(r, row, members);
    return time->nanoseconds < NO_TIME;
}

int engine_leaf(struct engine_region *r, const struct treefork_machine *machine,
                        const int64_t *values)
{
    current = r;
    return select_leaf(machine, values, NULL);
}

int engine_fastest(struct engine_region *r, const struct treefork_machine *machine,
                           const int64_t *values, double *nanoseconds)
{
    struct treefork_prediction best = {0};
    r->evaluation.several = several_of(r);
    treefork_evaluation_set(&r->evaluation, machine, values);
    int leaf = treefork_evaluation_best(&r->evaluation, 0, &best);
    *nanoseconds = best.nanoseconds;
    return leaf;
}

static bool launch_work(struct treefork_evaluation *e, const struct treefork_launch_row *row,
                        int leaf, struct engine_work *work)
{
    struct treefork_launch plan = {0};
    struct treefork_figures figures = {0};
    struct treefork_prediction time = {0};
    if (row->figures == TREEFORK_NONE) {
        treefork_fail(TREEFORK_ARGUMENT, "no figures of its accesses are known");
        return false;
    }
    if (treefork_evaluation_plan(e, row, leaf, &plan) ||
        treefork_evaluation_figures(e, row, leaf, &plan, &figures) ||
        treefork_predict(e->machine, &figures, &time))
        return false;
    double blocks = (double)figures.blocks;
    work->bytes += (double)time.memory_bytes;
    work->floats += blocks * (double)figures.floats;
    work->doubles += blocks * (double)figures.doubles;
    work->instructions += blocks * (double)figures.instructions;
    return true;
}

int engine_work(struct engine_region *r, const struct treefork_machine *machine,
                const int64_t *values, int leaf, struct engine_work *work)
{
    struct treefork_evaluation *e = &r->evaluation;
    const struct treefork_leaf_row *row = treefork_leaf_find(&r->region, leaf);
    struct treefork_prediction time = {0};
    treefork_int threads = 0;
    *work = (struct engine_work){0};
    e->several = NULL;
    treefork_evaluation_set(e, machine, values);
    if (!row || !treefork_evaluation_fits(e, row, NULL)) {
        treefork_fail(TREEFORK_ARGUMENT, "it does not fit here");
        return false;
    }
    for (size_t i = 0; i < row->count; i++)
        if (!launch_work(e, &e->region->launches[row->first + i], leaf, work))
            return false;
    if (treefork_evaluation_predict(e, row, &threads, &time) != TREEFORK_OK)
        return false;
    if (time.nanoseconds >= NO_TIME) {
        treefork_fail(TREEFORK_ARGUMENT, "no time is predicted");
        return false;
    }
    work->nanoseconds = time.nanoseconds;
    return true;
}

const char *engine_message(void)
{
    return treefork_message();
}
