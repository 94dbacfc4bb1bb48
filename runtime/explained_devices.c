/* The part of an explanation about several devices: which of them share the launches of the leaf,
   where these are cut, the bytes that the devices hand to each other at each run, the predicted
   time as kernels, copies and the rest, or why a device works alone. In: the tables of a region at
   a point, the machines; out: lines, or JSON. */
#include "runtime/explained_devices.h"
#include <inttypes.h>
#include <stdlib.h>

int treefork_devices_explain(struct treefork_evaluation *e, const struct treefork_several *several,
                             const struct treefork_leaf_row *leaf,
                             struct treefork_explained_devices *d)
{
    d->launches = calloc((size_t)leaf->count + 1, sizeof *d->launches);
    if (!d->launches)
        return treefork_fail(TREEFORK_MEMORY, "no memory to explain region %s", e->region->name);
    d->count = several->count;
    d->members = treefork_several_choose(e, several, leaf, &d->time);
    d->one = treefork_several_time(e, several, leaf, 1);
    if (d->members == 1 && !d->is_given && !d->is_tuned)
        d->other = treefork_several_least(e, several, leaf, &d->other_time);
    d->n_launches = leaf->count;
    struct treefork_shares shares = treefork_several_shares(e, several, leaf, d->members);
    bool is_cut = false;
    for (size_t i = 0; i < d->n_launches; i++) {
        treefork_several_launch(e, several, &shares, leaf, i, &d->launches[i]);
        is_cut |= !d->launches[i].reason;
    }
    d->reason = is_cut ? NULL : d->launches[0].reason;
    treefork_several_each(e, several, leaf, &shares, &d->each);
    return TREEFORK_OK;
}

void treefork_devices_explained_free(struct treefork_explained_devices *devices)
{
    free(devices->launches);
}

/* --- lines ------------------------------------------------------------------------------------ */

static const char *number_by(const struct treefork_explained_devices *d)
{
    if (d->is_given)
        return "as given";
    if (d->is_joined)
        return "as its arrays lie";
    return d->is_tuned ? "by tuning" : "by predicted time";
}

static void time_split(struct treefork_text *text, const struct treefork_several_time *time)
{
    if (time->nanoseconds >= NO_TIME)
        treefork_text_add(text, "none");
    else
        treefork_text_add(text, "%.3f us = kernels %.3f + copies %.3f + rest %.3f",
                          time->nanoseconds / 1e3, time->kernels / 1e3, time->copies / 1e3,
                          time->rest / 1e3);
}

static void cut_text(struct treefork_text *text, const struct treefork_several_launch *launch,
                     size_t members)
{
    treefork_int from = 0;
    const char *before = "";
    treefork_text_add(text, "%" PRId64 " blocks along the %s axis: ", launch->extent,
                      launch->is_last ? "last" : "first");
    for (size_t i = 0; i < members; i++) {
        if (launch->end[i] > from) {
            treefork_text_add(text, "%s%" PRId64 " to %" PRId64 " on device %zu", before, from,
                              launch->end[i] - 1, i + 1);
            before = ", ";
        }
        from = launch->end[i];
    }
}

/* "244 from device 1 to 2, 244 from 2 to 1" */
static void links_text(struct treefork_text *text, const struct treefork_several_launch *launch,
                       size_t members)
{
    const char *before = "      bytes at each run: ", *end = "";
    for (size_t from = 0; from < members; from++)
        for (size_t to = 0; to < members; to++)
            if (launch->bytes[from][to] > 0) {
                treefork_text_add(text, "%s%.0f from device %zu to %zu", before,
                                  launch->bytes[from][to], from + 1, to + 1);
                before = ", ";
                end = "\n";
            }
    treefork_text_add(text, "%s", end);
}

static void launch_text(struct treefork_text *text, const struct treefork_explained_devices *d,
                        size_t number)
{
    const struct treefork_several_launch *launch = &d->launches[number];
    treefork_text_add(text, "    launch %zu: ", number + 1);
    if (launch->reason)
        treefork_text_add(text, "on device 1 alone, since %s", launch->reason);
    else
        cut_text(text, launch, d->members);
    treefork_text_add(text, "\n");
    links_text(text, launch, d->members);
}

/* Why a device works alone. */
static void alone_text(struct treefork_text *text, const struct treefork_explained_devices *d)
{
    if (d->reason) {
        treefork_text_add(text, ": %s", d->reason);
    } else if (d->other) {
        treefork_text_add(text, ": %zu would take ", d->other);
        time_split(text, &d->other_time);
        treefork_text_add(text, ", which saves less than an eighth");
    }
    treefork_text_add(text, "\n");
}

void treefork_devices_text(struct treefork_text *text, const struct treefork_explained_devices *d)
{
    treefork_text_add(text, "  devices: %zu of %zu, %s", d->members, d->count, number_by(d));
    if (d->members == 1)
        alone_text(text, d);
    else
        treefork_text_add(text, "\n");
    for (size_t i = 0; i < d->n_launches && d->members > 1; i++)
        launch_text(text, d, i);
    treefork_text_add(text, "    predicted: ");
    time_split(text, &d->time);
    if (d->members > 1 && d->one.nanoseconds < NO_TIME)
        treefork_text_add(text, "; one device %.3f us", d->one.nanoseconds / 1e3);
    treefork_text_add(text, "\n");
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void time_json(struct treefork_text *text, const struct treefork_several_time *time)
{
    if (time->nanoseconds < NO_TIME)
        treefork_text_add(text,
                          "{\"nanoseconds\": %.3f, \"kernels\": %.3f, \"copies\": %.3f, "
                          "\"rest\": %.3f}",
                          time->nanoseconds, time->kernels, time->copies, time->rest);
    else
        treefork_text_add(text, "null");
}

static void links_json(struct treefork_text *text, const struct treefork_several_launch *launch,
                       size_t members)
{
    const char *before = "";
    treefork_text_add(text, ", \"bytes\": [");
    for (size_t from = 0; from < members; from++)
        for (size_t to = 0; to < members; to++)
            if (launch->bytes[from][to] > 0) {
                treefork_text_add(text, "%s{\"from\": %zu, \"to\": %zu, \"bytes\": %.0f}", before,
                                  from + 1, to + 1, launch->bytes[from][to]);
                before = ", ";
            }
    treefork_text_add(text, "]");
}

static void launch_json(struct treefork_text *text, const struct treefork_explained_devices *d,
                        size_t number)
{
    const struct treefork_several_launch *launch = &d->launches[number];
    if (launch->reason) {
        treefork_text_add(text, "{\"reason\": ");
        treefork_json_string(text, launch->reason);
    } else {
        treefork_text_add(text, "{\"axis\": \"%s\", \"blocks\": %" PRId64 ", \"ends\": [",
                          launch->is_last ? "last" : "first", launch->extent);
        for (size_t i = 0; i < d->members; i++)
            treefork_text_add(text, "%s%" PRId64, i ? ", " : "", launch->end[i]);
        treefork_text_add(text, "]");
    }
    links_json(text, launch, d->members);
    treefork_text_add(text, "}");
}

/* The predicted time of each of the members, if there is one. */
static void each_json(struct treefork_text *text, const struct treefork_explained_devices *d)
{
    size_t members = d->time.nanoseconds < NO_TIME ? d->members : 0;
    treefork_text_add(text, ", \"each\": [");
    for (size_t i = 0; i < members; i++)
        treefork_text_add(text, "%s{\"kernels\": %.3f, \"copies\": %.3f}", i ? ", " : "",
                          d->each.kernels[i], d->each.copies[i]);
    treefork_text_add(text, "]");
}

void treefork_devices_json(struct treefork_text *text, const struct treefork_explained_devices *d)
{
    treefork_text_add(text, ", \"devices\": {\"count\": %zu, \"members\": %zu, \"by\": \"%s\"",
                      d->count, d->members, number_by(d));
    treefork_text_add(text, ", \"launches\": [");
    for (size_t i = 0; i < d->n_launches; i++) {
        treefork_text_add(text, i ? ", " : "");
        launch_json(text, d, i);
    }
    treefork_text_add(text, "], \"predicted\": ");
    time_json(text, &d->time);
    each_json(text, d);
    treefork_text_add(text, ", \"one\": ");
    time_json(text, &d->one);
    if (d->other) {
        treefork_text_add(text, ", \"other\": %zu, \"other_predicted\": ", d->other);
        time_json(text, &d->other_time);
    }
    treefork_text_add(text, "}");
}
