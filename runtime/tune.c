/* Regions that are timed, and records of what was measured. In: the name of a region; out: what its
   runs took, and a record of the longest one, by which a choice is kept. */
#include "runtime/several.h"
#include "runtime/stays.h"
#include "runtime/tuned.h"
#include <stdlib.h>

static void watch_free(struct treefork_watch *watch)
{
    if (!watch)
        return;
    free(watch->region);
    free(watch->integers);
    free(watch->record.text);
    free(watch->parameters.text);
    free(watch);
}

void treefork_tune_end(struct treefork_device *device)
{
    watch_free(device->watch);
    device->watch = NULL;
    treefork_tuned_forget(device);
}

static struct treefork_watch *watch_new(const char *region)
{
    struct treefork_watch *watch = calloc(1, sizeof *watch);
    size_t size = strlen(region) + 1;
    char *name = malloc(size);
    if (!watch || !name) {
        free(watch);
        free(name);
        return NULL;
    }
    watch->region = memcpy(name, region, size);
    return watch;
}

int treefork_tune_watch(struct treefork_device *device, const char *region)
{
    struct treefork_watch *watch = NULL;
    if (!device)
        return treefork_fail(TREEFORK_ARGUMENT, "treefork_tune_watch: no device");
    if (region && !(watch = watch_new(region)))
        return treefork_fail(TREEFORK_MEMORY, "no memory to time region %s", region);
    pthread_mutex_lock(&device->mutex);
    watch_free(device->watch);
    device->watch = watch;
    treefork_stays_forget();
    pthread_mutex_unlock(&device->mutex);
    return TREEFORK_OK;
}

/* Static functions of several files may have one name: the region that runs first is timed. */
bool treefork_is_watched(const struct treefork_device *device,
                         const struct treefork_region *region)
{
    const struct treefork_watch *watch = device->watch;
    if (watch && watch->table)
        return watch->table == region;
    return watch && strcmp(watch->region, region->name) == 0;
}

void treefork_watch_add(const struct treefork_choosing *choosing, int leaf, double nanoseconds)
{
    struct treefork_watch *watch = choosing->device->watch;
    size_t bytes = choosing->region->n_integers * sizeof *watch->integers;
    if (!watch->table)
        watch->file = treefork_library_of(choosing->region);
    watch->table = choosing->region;
    watch->runs++;
    watch->nanoseconds += nanoseconds;
    if (watch->leaf && nanoseconds <= watch->longest)
        return;
    if (!watch->integers)
        watch->integers = malloc(bytes + 1);
    if (!watch->integers)
        return;
    memcpy(watch->integers, choosing->integers, bytes);
    watch->longest = nanoseconds;
    watch->automatic = choosing->automatic;
    watch->leaf = leaf;
    watch->devices = choosing->devices;
}

/* --- what was timed -------------------------------------------------------------------------- */

static void parameters_print(struct treefork_watch *watch)
{
    const struct treefork_region *region = watch->table;
    const char *before = "";
    for (size_t i = 0; i < region->n_parameters; i++) {
        const struct treefork_parameter_row *p = &region->parameters[i];
        if (p->integer == TREEFORK_NONE)
            continue;
        treefork_text_add(&watch->parameters, "%s%s=%lld", before, p->name,
                          (long long)watch->integers[p->integer]);
        before = ",";
    }
}

static void text_put(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from);
}

/* "32,4" */
static void sizes_print(const struct treefork_place *place, char *text, size_t room)
{
    size_t length = 0;
    *text = '\0';
    for (int i = 0; i < place->n_sizes && length < room; i++)
        length += (size_t)snprintf(text + length, room - length, "%s%lld", i ? "," : "",
                                   (long long)place->sizes[i]);
}

/* "s=4,B0=16" */
static void choice_print(const struct treefork_tunables *tunables, char *text, size_t room)
{
    const struct treefork_choosing *c = tunables->choosing;
    size_t length = 0;
    *text = '\0';
    for (int i = 0; i < tunables->n && length < room; i++)
        length += (size_t)snprintf(text + length, room - length, "%s%s=%lld", i ? "," : "",
                                   c->region->parameters[tunables->rows[i]->parameter].name,
                                   (long long)c->integers[tunables->integers[i]]);
}

/* False if the region chooses nothing, or is too large to be told. */
static bool record_make(const struct treefork_watch *watch, struct treefork_choosing *choosing,
                        struct treefork_record *record)
{
    struct treefork_device *device = choosing->device;
    struct treefork_tunables tunables = treefork_tunables_find(choosing);
    struct treefork_place place;
    struct treefork_identity identity;
    struct treefork_prediction time;
    if (tunables.n == 0 || !treefork_place_make(&tunables, &place))
        return false;
    treefork_identify(watch->table, device, &identity);
    memset(record, 0, sizeof *record);
    text_put(record->region, sizeof record->region, watch->region);
    text_put(record->source, sizeof record->source, identity.source);
    text_put(record->kind, sizeof record->kind, device->kind);
    text_put(record->device, sizeof record->device, device->name);
    text_put(record->architecture, sizeof record->architecture, identity.architecture);
    text_put(record->driver, sizeof record->driver, identity.driver);
    text_put(record->names, sizeof record->names, place.names);
    text_put(record->fixed, sizeof record->fixed, place.fixed);
    sizes_print(&place, record->sizes, sizeof record->sizes);
    choice_print(&tunables, record->choice, sizeof record->choice);
    if (watch->parameters.length < sizeof record->parameters)
        text_put(record->parameters, sizeof record->parameters, watch->parameters.text);
    record->leaf = watch->leaf;
    record->devices = watch->devices;
    record->nanoseconds = record->low = record->high = (int64_t)watch->longest;
    treefork_evaluation_set(choosing->evaluation, &device->machine, choosing->integers);
    if (treefork_evaluation_best(choosing->evaluation, watch->leaf, &time) &&
        time.nanoseconds < 9e18)
        record->predicted = (int64_t)time.nanoseconds;
    return true;
}

static int record_print(struct treefork_device *device)
{
    struct treefork_watch *watch = device->watch;
    struct treefork_evaluation evaluation;
    struct treefork_several several;
    struct treefork_record record;
    int status = treefork_evaluation_new(watch->table, &evaluation);
    if (status)
        return status;
    if (watch->devices)
        evaluation.several = treefork_several_only(treefork_device_several(device),
                                                   (size_t)watch->devices, &several);
    struct treefork_choosing choosing = {.region = watch->table,
                                         .device = device,
                                         .evaluation = &evaluation,
                                         .automatic = watch->automatic,
                                         .integers = watch->integers};
    if (record_make(watch, &choosing, &record))
        watch->record = treefork_record_line(&record);
    treefork_evaluation_free(&evaluation);
    return TREEFORK_OK;
}

/* Under the device's lock. */
static int watch_report(struct treefork_device *device, struct treefork_tune_runs *runs)
{
    struct treefork_watch *watch = device->watch;
    if (!watch)
        return treefork_fail(TREEFORK_ARGUMENT, "treefork_tune_watched: no region is watched");
    runs->runs = watch->runs;
    runs->nanoseconds = watch->nanoseconds;
    runs->leaf = watch->leaf;
    if (watch->runs == 0 || watch->leaf == 0)
        return TREEFORK_OK;
    if (!treefork_library_holds(&watch->file, watch->table))
        return treefork_fail(TREEFORK_ARGUMENT, "region %s was unloaded since it ran",
                             watch->region);
    free(watch->parameters.text);
    free(watch->record.text);
    watch->parameters = watch->record = (struct treefork_text){0};
    parameters_print(watch);
    int status = record_print(device);
    if (watch->parameters.text)
        runs->parameters = watch->parameters.text;
    if (watch->record.text)
        runs->record = watch->record.text;
    return status;
}

int treefork_tune_watched(struct treefork_device *device, struct treefork_tune_runs *runs)
{
    *runs = (struct treefork_tune_runs){.parameters = "", .record = ""};
    if (!device)
        return treefork_fail(TREEFORK_ARGUMENT, "treefork_tune_watched: no device");
    pthread_mutex_lock(&device->mutex);
    int status = watch_report(device, runs);
    pthread_mutex_unlock(&device->mutex);
    return status;
}

int treefork_tune_keep(const char *record, double median, double low, double high, int generic)
{
    struct treefork_record kept;
    bool is_time = low >= 0 && low <= median && median <= high && high < 9e18;
    if (!treefork_record_read(record, strlen(record), &kept))
        return treefork_fail(TREEFORK_ARGUMENT, "treefork_tune_keep: this is no record");
    if (!is_time)
        return treefork_fail(TREEFORK_ARGUMENT, "treefork_tune_keep: these are no times");
    kept.nanoseconds = (int64_t)median;
    kept.low = (int64_t)low;
    kept.high = (int64_t)high;
    kept.is_generic = generic != 0;
    struct treefork_text line = treefork_record_line(&kept);
    int status = line.text ? treefork_store_append(TREEFORK_TUNED_FILE, TREEFORK_TUNED_HEADER,
                                                   line.text)
                           : treefork_fail(TREEFORK_MEMORY, "no memory for a record");
    free(line.text);
    if (status == TREEFORK_OK)
        treefork_tune_forget();
    return status;
}

void treefork_tune_forget(void)
{
    treefork_tuned_forget(NULL);
    treefork_choice_forget();
}
