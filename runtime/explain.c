/* Explanations of regions: what a region did when it last ran (treefork_explain, TREEFORK_EXPLAIN),
   and what it would do on a machine (treefork_region_explain). In: the tables of a region, a
   machine, integer parameters, and the leaf taken; out: a struct treefork_explanation, printed by
   explanation.c. The path is NAME_select's own trace, read beside the rows of the case tree.

   The last run of each region is kept in its site: its device and integers. Invariant: a device
   that is closed is in no site. A site outlives the file of its region: where dlclose has unloaded
   that, the region is not looked at any more. */
#include "runtime/explain.h"
#include "runtime/explanation.h"
#include "runtime/explained_devices.h"
#include "runtime/serial.h"
#include "runtime/stays.h"
#include <stdlib.h>
#include <string.h>

/* --- from the tables to an explanation ------------------------------------------------------- */

struct filled {
    const struct treefork_run *run;
    const struct treefork_several *several;
    struct treefork_evaluation evaluation;
    struct treefork_trace trace;
    struct treefork_explained_value *values;
    struct treefork_explained_step *steps;
    struct treefork_explained_leaf *leaves;
    struct treefork_explained_devices devices;
    struct treefork_explanation result;
};

static struct treefork_explained_condition condition_of(const struct treefork_trace_entry *entry)
{
    return (struct treefork_explained_condition){
        .text = entry->text, .left = entry->left, .right = entry->right, .holds = entry->holds};
}

static const char *word(const struct treefork_region *region, uint16_t number)
{
    return number == TREEFORK_NONE ? NULL : region->words[number];
}

static void fill_values(struct filled *f)
{
    const struct treefork_region *region = f->run->region;
    for (size_t i = 0; i < region->n_parameters; i++) {
        const struct treefork_parameter_row *row = &region->parameters[i];
        struct treefork_explained_value *value = &f->values[f->result.n_values];
        if (row->integer == TREEFORK_NONE)
            continue;
        *value = (struct treefork_explained_value){.name = row->name,
                                                   .value = f->run->integers[row->integer]};
        for (size_t t = 0; t < region->n_tunables; t++)
            if (region->tunables[t].parameter == i)
                value->is_chosen = f->run->is_changed;
        f->result.n_values++;
    }
}

/* Is the leaf at `place` of the case tree, or below it? */
static bool place_reaches(const struct treefork_region *region, size_t place, int leaf)
{
    if (place >= region->n_steps)
        return region->ends[place - region->n_steps].leaf == leaf;
    return place_reaches(region, region->steps[place].on_accept, leaf) ||
           place_reaches(region, region->steps[place].on_refuse, leaf);
}

static void fill_step(struct filled *f, const struct treefork_step_row *row)
{
    const struct treefork_region *region = f->run->region;
    size_t n = f->result.n_steps++;
    const char *counter = word(region, row->counter);
    struct treefork_explained_step *step = &f->steps[n];
    step->condition = condition_of(&f->trace.entry[region->n_checks + n]);
    step->counter = counter ? counter : "";
    step->strategy = word(region, step->condition.holds ? row->accept : row->refuse);
}

/* The steps that the trace went, and the end that it came to. */
static const struct treefork_end_row *fill_path(struct filled *f)
{
    const struct treefork_region *region = f->run->region;
    size_t place = 0;
    while (place < region->n_steps && region->n_checks + f->result.n_steps < f->trace.count) {
        const struct treefork_step_row *row = &region->steps[place];
        fill_step(f, row);
        place = f->steps[f->result.n_steps - 1].condition.holds ? row->on_accept : row->on_refuse;
    }
    return place < region->n_steps ? NULL : &region->ends[place - region->n_steps];
}

static void fill_parting(struct filled *f)
{
    const struct treefork_region *region = f->run->region;
    int second = treefork_explanation_second(&f->result);
    size_t place = 0;
    f->result.parting = -1;
    if (second < 0)
        return;
    for (size_t i = 0; i < f->result.n_steps; i++) {
        const struct treefork_step_row *row = &region->steps[place];
        bool holds = f->steps[i].condition.holds;
        if (place_reaches(region, holds ? row->on_refuse : row->on_accept, f->leaves[second].id))
            f->result.parting = (int)i;
        place = holds ? row->on_accept : row->on_refuse;
    }
}

static void fill_time(struct filled *f, const struct treefork_leaf_row *row,
                      struct treefork_explained_leaf *leaf)
{
    struct treefork_evaluation *e = &f->evaluation;
    struct treefork_launch plan = {0};
    int64_t threads = 0;
    leaf->is_timed = treefork_evaluation_predict(e, row, &threads, &leaf->prediction) ==
                         TREEFORK_OK &&
                     leaf->prediction.nanoseconds < NO_TIME;
    leaf->serial = leaf->is_timed ? treefork_evaluation_serial(e, row) : 0;
    if (!leaf->is_timed || treefork_evaluation_plan(e, &e->region->launches[row->first], row->id,
                                                    &plan) != TREEFORK_OK) {
        leaf->is_timed = false;
        return;
    }
    leaf->compared = leaf->prediction;
    treefork_handicap(f->run->machine, threads, row->safe && e->region->n_leaves > 1,
                      &leaf->compared);
    leaf->threads = plan.threads;
    leaf->block_width = plan.block_width;
    leaf->blocks = plan.blocks;
    leaf->grid_width = plan.grid_width;
}

static void fill_leaf(struct filled *f, size_t i)
{
    const struct treefork_leaf_row *row = &f->run->region->leaves[i];
    struct treefork_explained_leaf *leaf = &f->leaves[i];
    struct treefork_trace needs = {0};
    leaf->id = row->id;
    leaf->is_safe = row->safe;
    leaf->fits = treefork_evaluation_fits(&f->evaluation, row, &needs);
    if (leaf->fits)
        fill_time(f, row, leaf);
    else if (needs.count)
        leaf->lack = condition_of(&needs.entry[needs.count - 1]);
    else
        leaf->lack = (struct treefork_explained_condition){.text = "a number leaves 64 bits"};
}

static enum treefork_taken_by taken_by(const struct treefork_run *run)
{
    if (run->is_forced)
        return TREEFORK_TAKEN_BY_FORCE;
    if (run->is_tuned)
        return TREEFORK_TAKEN_BY_TUNING;
    return run->is_chosen ? TREEFORK_TAKEN_BY_TIME : TREEFORK_TAKEN_BY_CASE;
}

static int fill_devices(struct filled *f)
{
    const struct treefork_leaf_row *leaf = treefork_leaf_find(f->run->region, f->result.leaf);
    struct treefork_several several = *f->several;
    f->result.devices = &f->devices;
    f->devices.is_given = f->run->are_devices_given || several.weight;
    f->devices.is_tuned = f->run->are_devices_tuned && !f->devices.is_given;
    f->devices.is_joined = f->run->are_devices_joined;
    if (f->run->devices)
        several.only = f->run->devices;
    return treefork_devices_explain(&f->evaluation, &several, leaf, &f->devices);
}

static int fill(struct filled *f)
{
    const struct treefork_run *run = f->run;
    int status = TREEFORK_OK, leaf = run->region->select(run->machine, run->integers, &f->trace);
    if (leaf < 0)
        return -leaf;
    treefork_evaluation_set(&f->evaluation, run->machine, run->integers);
    f->result = (struct treefork_explanation){.region = run->region->name,
                                              .machine = run->machine->name,
                                              .leaf = run->leaf ? run->leaf : leaf,
                                              .leaf_by_case = leaf,
                                              .by = taken_by(run),
                                              .serial = run->serial,
                                              .launch = run->launch,
                                              .n_leaves = run->region->n_leaves,
                                              .values = f->values,
                                              .steps = f->steps,
                                              .leaves = f->leaves};
    const struct treefork_end_row *end = fill_path(f);
    f->result.codes = end ? word(run->region, end->codes) : NULL;
    fill_values(f);
    for (size_t i = 0; i < run->region->n_leaves; i++)
        fill_leaf(f, i);
    if (run->measure)
        run->measure(run, f->leaves);
    if (f->several)
        status = fill_devices(f);
    if (status)
        return status;
    bool is_asked = run->kind == RUN_IS_ASKED && !f->several;
    f->result.is_in_place = is_asked ? treefork_explanation_stays(&f->result)
                                     : run->kind == RUN_IS_IN_PLACE;
    fill_parting(f);
    return TREEFORK_OK;
}

static int filled_begin(struct filled *f)
{
    const struct treefork_region *region = f->run->region;
    int status = treefork_evaluation_new(region, &f->evaluation);
    if (status)
        return status;
    f->values = calloc((size_t)region->n_parameters + 1, sizeof *f->values);
    f->steps = calloc((size_t)region->n_steps + 1, sizeof *f->steps);
    f->leaves = calloc((size_t)region->n_leaves + 1, sizeof *f->leaves);
    if (f->values && f->steps && f->leaves)
        return TREEFORK_OK;
    return treefork_fail(TREEFORK_MEMORY, "no memory to explain region %s", region->name);
}

static void filled_end(struct filled *f)
{
    treefork_evaluation_free(&f->evaluation);
    free(f->values);
    free(f->steps);
    free(f->leaves);
    treefork_devices_explained_free(&f->devices);
}

int treefork_run_explain(const struct treefork_run *run, const struct treefork_several *several,
                         int format, struct treefork_text *text)
{
    struct filled f = {.run = run, .several = several};
    int status = filled_begin(&f);
    if (!status)
        status = fill(&f);
    if (!status && format == TREEFORK_JSON) {
        treefork_explanation_json(text, &f.result);
        treefork_text_add(text, "\n");
    } else if (!status) {
        treefork_explanation_text(text, &f.result);
    }
    filled_end(&f);
    if (!status && text->failed)
        status = treefork_fail(TREEFORK_MEMORY, "no memory to explain region %s",
                               run->region->name);
    return status;
}

int treefork_region_explain(const struct treefork_region *region,
                            const struct treefork_machine *machine, const treefork_int *values,
                            int format, FILE *out)
{
    struct treefork_text text = {0};
    struct treefork_run run = {.region = region, .machine = machine, .integers = values};
    int status = treefork_layout_check("region", region->name, region->layout);
    if (!status)
        status = treefork_run_explain(&run, NULL, format, &text);
    if (!status)
        fputs(text.text, out);
    free(text.text);
    return status;
}

/* --- the last run of each region ------------------------------------------------------------- */

struct site_state {
    struct treefork_stay stay;             /* stays.c */
    struct site_state *next;
    uint64_t number;
    struct treefork_run run;               /* its machine is the device's */
    const struct treefork_device *device;  /* NULL: the region has not run on one that is open */
    struct treefork_file file;             /* that the region is in */
    treefork_int integers[];
};

static struct site_state *sites;
static pthread_mutex_t sites_mutex = PTHREAD_MUTEX_INITIALIZER;

/* NULL without memory. */
static struct site_state *site_state(const struct treefork_region *region)
{
    struct site_state *state = region->site->state;
    if (state)
        return state;
    state = calloc(1, sizeof *state + (size_t)region->n_integers * sizeof *state->integers);
    if (!state)
        return NULL;
    state->next = sites;
    state->number = sites ? sites->number + 1 : 1;
    state->file = treefork_library_of(region);
    sites = state;
    __atomic_store_n(&region->site->state, state, __ATOMIC_RELEASE);
    return state;
}

uint64_t treefork_region_number(const struct treefork_region *region)
{
    if (!region->site)
        return 0;
    const struct site_state *known = __atomic_load_n(&region->site->state, __ATOMIC_ACQUIRE);
    if (known)
        return known->number;
    pthread_mutex_lock(&sites_mutex);
    const struct site_state *state = site_state(region);
    uint64_t number = state ? state->number : 0;
    pthread_mutex_unlock(&sites_mutex);
    return number;
}

void treefork_run_keep(const struct treefork_run *run, const struct treefork_device *device)
{
    if (!run->region->site)
        return;
    pthread_mutex_lock(&sites_mutex);
    struct site_state *state = site_state(run->region);
    if (state) {
        memcpy(state->integers, run->integers, run->region->n_integers * sizeof *run->integers);
        state->run = *run;
        state->run.integers = state->integers;
        state->device = device;
    }
    pthread_mutex_unlock(&sites_mutex);
}

void treefork_runs_forget(const struct treefork_device *device)
{
    pthread_mutex_lock(&sites_mutex);
    for (struct site_state *s = sites; s; s = s->next)
        if (s->device == device)
            s->device = NULL;
    pthread_mutex_unlock(&sites_mutex);
}

static bool is_asked(const struct site_state *s, const char *name)
{
    return s->device && treefork_library_holds(&s->file, s->run.region) &&
           (!name || strcmp(name, s->run.region->name) == 0 ||
                         strcmp(name, s->run.region->function) == 0);
}

int treefork_explain(const char *name, int format, FILE *out)
{
    struct treefork_text text = {0};
    int status = TREEFORK_OK;
    bool any = false;
    if (!out || (format != TREEFORK_TEXT && format != TREEFORK_JSON))
        return treefork_fail(TREEFORK_ARGUMENT, "treefork_explain: wrong argument");
    pthread_mutex_lock(&sites_mutex);
    for (struct site_state *s = sites; s && !status; s = s->next)
        if (is_asked(s, name)) {
            any = true;
            status = treefork_run_explain(&s->run, treefork_device_several(s->device), format,
                                          &text);
        }
    pthread_mutex_unlock(&sites_mutex);
    if (!status && !any)
        status = treefork_fail(TREEFORK_ARGUMENT, "no region%s%s has run on a device",
                               name ? " " : "", name ? name : "");
    if (!status)
        fputs(text.text, out);
    free(text.text);
    return status;
}

/* --- TREEFORK_EXPLAIN ------------------------------------------------------------------------ */

/* Loops of the host run a region with one leaf and the same sizes many times: that is said once. */
static bool run_is_new(const struct treefork_run *run)
{
    struct treefork_text key = {0};
    treefork_text_add(&key, "explained %s %d", run->region->name, run->leaf);
    for (size_t i = 0; i < run->region->n_parameters; i++) {
        const struct treefork_parameter_row *row = &run->region->parameters[i];
        if (row->integer != TREEFORK_NONE && !row->varies)
            treefork_text_add(&key, " %lld", (long long)run->integers[row->integer]);
    }
    bool is_new = !key.text || treefork_failure_is_new(key.text, TREEFORK_OK);
    free(key.text);
    return is_new;
}

static bool explains_json(void)
{
    const char *text = treefork_environment("TREEFORK_EXPLAIN");
    return text && strcmp(text, "json") == 0;
}

void treefork_run_print(const struct treefork_run *run, const struct treefork_several *several)
{
    struct treefork_text text = {0};
    int format = explains_json() ? TREEFORK_JSON : TREEFORK_TEXT;
    if (run_is_new(run) && treefork_run_explain(run, several, format, &text) == TREEFORK_OK)
        fputs(text.text, stderr);
    free(text.text);
}

bool treefork_explains(void)
{
    return explains_json() || treefork_environment_is("TREEFORK_EXPLAIN", "1");
}
