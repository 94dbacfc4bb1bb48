/* What was measured of a region's leaves at a point. In: records of the store (docs/tuning.md), a
   point; out: median and interval of each leaf that was measured there.

   A time belongs to a point if region, source, device and every integer parameter are the same,
   those that were chosen included. Which driver it was measured with does not count, nor whether
   the device ran by CUDA or by OpenCL: a machine file tells neither, and a program and the tool are
   to say the same. Where loops of the host change an extent a record's time is that of runs of
   several sizes, so that it is the time of no point. Times of several devices do not count. */
#include "runtime/measured.h"
#include <stdlib.h>

/* "-1" among "32,-1". */
static bool has_any_size(const char *sizes)
{
    return strchr(sizes, '-') != NULL;
}

/* Is "n=512,s=4" the point? */
static bool parameters_equal(const struct treefork_measured_point *point, const char *parameters)
{
    while (*parameters) {
        size_t length = strcspn(parameters, "=");
        char *end;
        treefork_int value;
        bool varies;
        if (!parameters[length] || !point->value(point->state, parameters, length, &value, &varies))
            return false;
        long long recorded = strtoll(parameters + length + 1, &end, 10);
        if ((!varies && recorded != value) || (*end && *end != ','))
            return false;
        parameters = end + (*end == ',');
    }
    return true;
}

/* A machine's name has less room than a device's. */
static bool is_machine(const char *device, const char *machine)
{
    size_t most = sizeof ((struct treefork_machine *)0)->name - 1;
    return strncmp(device, machine, most) == 0;
}

void treefork_measured_take(struct treefork_measured_point *point,
                            const struct treefork_record *record)
{
    if (strcmp(record->region, point->region) != 0 || !is_machine(record->device, point->machine) ||
        record->devices || !*record->parameters || has_any_size(record->sizes) ||
        !parameters_equal(point, record->parameters))
        return;
    if (!*point->digest)
        point->source(point->state, point->digest);
    for (size_t i = 0; i < point->n_leaves; i++) {
        struct treefork_explained_leaf *leaf = &point->leaves[i];
        if (leaf->id != record->leaf || strcmp(record->source, point->digest) != 0)
            continue;
        leaf->measured = (double)record->nanoseconds;
        leaf->low = (double)record->low;
        leaf->high = (double)record->high;
    }
}

/* --- a run ----------------------------------------------------------------------------------- */

static void run_source(const void *state, char digest[DIGEST_ROOM])
{
    const struct treefork_run *run = state;
    treefork_identify_source(run->region, digest);
}

static bool run_value(const void *state, const char *name, size_t length, treefork_int *value,
                      bool *varies)
{
    const struct treefork_run *run = state;
    for (size_t i = 0; i < run->region->n_parameters; i++) {
        const struct treefork_parameter_row *row = &run->region->parameters[i];
        if (row->integer == TREEFORK_NONE || strncmp(row->name, name, length) != 0 ||
            row->name[length])
            continue;
        *value = run->integers[row->integer];
        *varies = row->varies;
        return true;
    }
    return false;
}

static bool record_take(void *state, const char *line, size_t length)
{
    struct treefork_record record;
    if (!treefork_record_read(line, length, &record))
        return false;
    treefork_measured_take(state, &record);
    return true;
}

void treefork_run_measure(const struct treefork_run *run, struct treefork_explained_leaf *leaves)
{
    struct treefork_measured_point point = {.region = run->region->name,
                                            .machine = run->machine->name,
                                            .state = run,
                                            .source = run_source,
                                            .value = run_value,
                                            .leaves = leaves,
                                            .n_leaves = run->region->n_leaves};
    treefork_store_read(TREEFORK_TUNED_FILE, TREEFORK_TUNED_HEADER, record_take, &point);
}
