/* What a region says of a run: its choice beside what NAME_select would take, divisions that held a
   tunable, predicted time, and the run itself for explanations. In: a run whose leaf is chosen;
   out: lines on standard error, as the environment asks. */
#include "runtime/execution.h"
#include "runtime/explained_devices.h"
#include "runtime/measured.h"
#include "runtime/serial.h"
#include "runtime/tuned.h"
#include <stdlib.h>

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
    bool is_narrow = x->chosen > 0 && treefork_execution_plan_of(x, 0, &plan) == TREEFORK_OK &&
                     plan.threads < machine->value[TREEFORK_W_B];
    if (x->is_held)
        fprintf(stderr, "%s: a tunable is not chosen: not exact: %s\n", x->region->name,
                x->region->divisions);
    else if (is_narrow && *x->region->divisions)
        fprintf(stderr, "%s: blocks of %lld threads, because these must be exact: %s\n",
                x->region->name, (long long)plan.threads, x->region->divisions);
}

/* Times of the serial code and of launches in this process, and a word where this run is timed. */
static void tried_print(const struct execution *x)
{
    const struct treefork_location *place = &x->place;
    if (place->launch > 0)
        fprintf(stderr, "%s: a launch took %.3f us in this process\n", x->region->name,
                place->launch / 1e3);
    if (place->serial > 0)
        fprintf(stderr, "%s: the serial code took %.3f us in this process\n", x->region->name,
                place->serial / 1e3);
    if (x->timing.side)
        fprintf(stderr, "%s: this run is timed\n", x->region->name);
}

/* Of several devices: who shares the launches. */
static void devices_print(struct execution *x)
{
    struct treefork_explained_devices devices = {.is_given = x->are_devices_given,
                                                 .is_tuned = x->devices_tuned != 0,
                                                 .is_joined = x->are_devices_joined};
    struct treefork_several several = *x->several;
    struct treefork_text text = {0};
    several.only = x->shares->count;
    if (treefork_devices_explain(&x->evaluation, &several, x->leaf, &devices) == TREEFORK_OK)
        treefork_devices_text(&text, &devices);
    if (text.text)
        fputs(text.text, stderr);
    free(text.text);
    treefork_devices_explained_free(&devices);
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
    if (x->several)
        devices_print(x);
    tried_print(x);
    if (x->is_in_place)
        fprintf(stderr,
                "%s: in place: the host runs the serial code, predicted %.3f us, and nothing is "
                "launched\n",
                x->region->name, treefork_evaluation_serial(&x->evaluation, x->leaf) / 1e3);
}

struct treefork_run treefork_execution_run_of(const struct execution *x)
{
    return (struct treefork_run){.region = x->region,
                                 .machine = treefork_device_machine(x->device),
                                 .integers = x->integers,
                                 .leaf = x->leaf->id,
                                 .is_changed = x->is_changed,
                                 .is_chosen = x->chosen > 0,
                                 .is_forced = x->forced > 0,
                                 .is_tuned = x->tuned > 0,
                                 .devices = x->shares ? (unsigned)x->shares->count : 0,
                                 .are_devices_given = x->are_devices_given,
                                 .are_devices_tuned = x->devices_tuned != 0,
                                 .are_devices_joined = x->are_devices_joined,
                                 .kind = x->is_in_place ? RUN_IS_IN_PLACE : RUN_IS_LAUNCHED,
                                 .serial = x->place.serial,
                                 .launch = x->place.launch,
                                 .measure = treefork_run_measure};
}

void treefork_execution_report(struct execution *x)
{
    struct treefork_run run = treefork_execution_run_of(x);
    treefork_run_keep(&run, x->device);
    if (x->switches.explain && treefork_explains())
        treefork_run_print(&run, treefork_device_several(x->device));
    if (x->trace)
        execution_trace(x);
}
