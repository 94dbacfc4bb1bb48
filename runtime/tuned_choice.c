/* Which record of the store serves a region at a point. In: the records of the region's text, read
   once per region and device; out: a leaf, tunables and, of several devices, how many of them, that
   fit there.

   The nearest record counts first: tuned on this device and driver, on this architecture, for any
   device. Among these, one that was tuned at the same extents, then one of the same class (every
   extent rounds to the same power of two), then two that have the extents between them: there each
   choice is rated by the model's time at the point, scaled by what was measured over what the model
   said where it was tuned. Choices whose times lie within the noise go by a fixed order (leaf,
   tunables, devices), so that all processes choose alike. Whether a choice fits is asked anew. */
#include "runtime/explain.h"
#include "runtime/cache.h"
#include "runtime/several.h"
#include "runtime/tuned.h"
#include <stdlib.h>

enum { RECORDS_MAX = 1024, NEAR_EQUAL = 0, NEAR_CLASS, NEAR_BETWEEN, NEAR_NOT };

/* A record of a region, as far as it is still needed. */
struct known_record {
    enum treefork_tuned_for level;
    char *names, *fixed;
    int leaf, devices, n_values, n_sizes;
    treefork_int values[TUNABLES_MAX];     /* in the order of names */
    treefork_int sizes[SIZES_MAX];
    double nanoseconds, low, high, predicted;
};

struct known_region {
    struct known_region *next;
    const struct treefork_region *region;
    uint64_t number;            /* of the region: another file may be loaded where its was */
    struct treefork_device *device;
    bool is_identified;
    struct treefork_identity identity;     /* once a record names the region */
    size_t n, oldest;           /* oldest: how often one gave way to another */
    struct known_record *records;
};

static struct known_region *known_regions;
static pthread_mutex_t known_mutex = PTHREAD_MUTEX_INITIALIZER;

/* --- reading --------------------------------------------------------------------------------- */

/* "s=4,B0=64" in the order of `names`, "s,B0"; -1 if it is not that. */
static int values_read(const char *choice, const char *names, treefork_int *values)
{
    int n = 0;
    while (*names) {
        size_t length = strcspn(names, ",");
        char *end;
        if (n == TUNABLES_MAX || strncmp(choice, names, length) != 0 || choice[length] != '=')
            return -1;
        long long value = strtoll(choice + length + 1, &end, 10);
        if (end == choice + length + 1 || value < 1 || (*end && *end != ','))
            return -1;
        values[n++] = value;
        choice = end + (*end == ',');
        names += length + (names[length] == ',');
    }
    return *choice ? -1 : n;
}

static enum treefork_tuned_for record_level(const struct known_region *known,
                                            const struct treefork_record *record)
{
    const struct treefork_identity *identity = &known->identity;
    bool is_same = strcmp(record->device, known->device->name) == 0 &&
                   strcmp(record->kind, known->device->kind) == 0 &&
                   strcmp(record->driver, identity->driver) == 0;
    if (is_same)
        return TUNED_DEVICE;
    if (strcmp(record->architecture, identity->architecture) == 0)
        return TUNED_ARCHITECTURE;
    return record->is_generic ? TUNED_GENERIC : TUNED_LEVELS;
}

static char *text_copy(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static void record_free(struct known_record *record)
{
    free(record->names);
    free(record->fixed);
}

static bool sizes_equal(const treefork_int *a, const treefork_int *b, int n)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* Was the same choice measured at the same place, as near? */
static bool is_measured_again(const struct known_record *a, const struct known_record *b)
{
    return a->level == b->level && a->leaf == b->leaf && a->n_values == b->n_values &&
           a->devices == b->devices && a->n_sizes == b->n_sizes &&
           strcmp(a->names, b->names) == 0 && strcmp(a->fixed, b->fixed) == 0 &&
           sizes_equal(a->values, b->values, a->n_values) &&
           sizes_equal(a->sizes, b->sizes, a->n_sizes);
}

static bool records_grow(struct known_region *known)
{
    if (known->n & (known->n - 1))
        return true;
    struct known_record *more = realloc(known->records,
                                        (known->n ? 2 * known->n : 1) * sizeof *more);
    if (more)
        known->records = more;
    return more != NULL;
}

/* The place for a record: that of an older one of the same choice; a new one; once there are
   RECORDS_MAX, that of the oldest. NULL without memory. */
static struct known_record *record_place(struct known_region *known,
                                         const struct known_record *record)
{
    for (size_t i = 0; i < known->n; i++)
        if (is_measured_again(&known->records[i], record))
            return &known->records[i];
    if (known->n < RECORDS_MAX)
        return records_grow(known) ? &known->records[known->n] : NULL;
    treefork_cache_say(known->region->name,
                       "%s has more than %d choices for %s here: the newest %d count",
                       TREEFORK_TUNED_FILE, RECORDS_MAX, known->region->name, RECORDS_MAX);
    return &known->records[known->oldest++ % RECORDS_MAX];
}

/* Takes over the record's texts. */
static void record_put(struct known_region *known, struct known_record *record)
{
    bool is_whole = record->names && record->fixed;
    struct known_record *place = is_whole ? record_place(known, record) : NULL;
    if (!place) {
        record_free(record);
        return;
    }
    if (place == known->records + known->n)
        known->n++;
    else
        record_free(place);
    *place = *record;
}

static bool record_take(void *state, const char *line, size_t length)
{
    struct known_region *known = state;
    struct treefork_record r;
    if (!treefork_record_read(line, length, &r))
        return false;
    if (strcmp(r.region, known->region->name) != 0)
        return true;
    if (!known->is_identified)
        treefork_identify(known->region, known->device, &known->identity);
    known->is_identified = true;
    enum treefork_tuned_for level = record_level(known, &r);
    if (strcmp(r.source, known->identity.source) != 0 || level == TUNED_LEVELS)
        return true;
    struct known_record record = {.level = level,
                                  .leaf = r.leaf,
                                  .devices = r.devices,
                                  .nanoseconds = (double)r.nanoseconds,
                                  .low = (double)r.low,
                                  .high = (double)r.high,
                                  .predicted = (double)r.predicted};
    record.n_values = values_read(r.choice, r.names, record.values);
    record.n_sizes = treefork_sizes_read(r.sizes, record.sizes);
    if (record.n_values < 0 || record.n_sizes < 0)
        return false;
    record.names = text_copy(r.names);
    record.fixed = text_copy(r.fixed);
    record_put(known, &record);
    return true;
}

/* The records of a region, read at its first choice on the device; NULL without memory. */
static const struct known_region *region_know(const struct treefork_choosing *c)
{
    struct known_region *known = known_regions;
    uint64_t number = treefork_region_number(c->region);
    while (known && (known->region != c->region || known->number != number ||
                     known->device != c->device))
        known = known->next;
    if (known)
        return known;
    known = calloc(1, sizeof *known);
    if (!known)
        return NULL;
    known->region = c->region;
    known->number = number;
    known->device = c->device;
    treefork_store_read(TREEFORK_TUNED_FILE, TREEFORK_TUNED_HEADER, record_take, known);
    known->next = known_regions;
    known_regions = known;
    return known;
}

void treefork_tuned_forget(const struct treefork_device *device)
{
    pthread_mutex_lock(&known_mutex);
    for (struct known_region **at = &known_regions; *at;) {
        struct known_region *known = *at;
        if (device && known->device != device) {
            at = &known->next;
            continue;
        }
        *at = known->next;
        for (size_t i = 0; i < known->n; i++)
            record_free(&known->records[i]);
        free(known->records);
        free(known);
    }
    pthread_mutex_unlock(&known_mutex);
}

/* --- which serves ---------------------------------------------------------------------------- */

static bool is_for(const struct known_record *k, const struct treefork_place *place)
{
    if (k->n_sizes != place->n_sizes || strcmp(k->names, place->names) != 0 ||
        strcmp(k->fixed, place->fixed) != 0)
        return false;
    for (int i = 0; i < k->n_sizes; i++)
        if ((k->sizes[i] == ANY_SIZE) != (place->sizes[i] == ANY_SIZE))
            return false;
    return true;
}

static bool sizes_round_alike(const treefork_int *a, const treefork_int *b, int n)
{
    for (int i = 0; i < n; i++)
        if (treefork_rounded_exponent(a[i]) != treefork_rounded_exponent(b[i]))
            return false;
    return true;
}

static bool is_between(const treefork_int *a, const treefork_int *b, const treefork_int *at, int n)
{
    for (int i = 0; i < n; i++)
        if ((at[i] < a[i] && at[i] < b[i]) || (at[i] > a[i] && at[i] > b[i]))
            return false;
    return true;
}

/* Is there another record of the level with which this one has the point between them? */
static bool has_partner(const struct known_region *known, const struct known_record *k,
                        const struct treefork_place *place)
{
    for (size_t i = 0; i < known->n; i++) {
        const struct known_record *other = &known->records[i];
        if (other != k && other->level == k->level && is_for(other, place) &&
            is_between(k->sizes, other->sizes, place->sizes, place->n_sizes))
            return true;
    }
    return false;
}

static int record_nearness(const struct known_region *known, const struct known_record *k,
                           const struct treefork_place *place)
{
    if (!is_for(k, place))
        return NEAR_NOT;
    if (sizes_equal(k->sizes, place->sizes, place->n_sizes))
        return NEAR_EQUAL;
    if (sizes_round_alike(k->sizes, place->sizes, place->n_sizes))
        return NEAR_CLASS;
    return has_partner(known, k, place) ? NEAR_BETWEEN : NEAR_NOT;
}

/* May so many devices share the launches? */
static bool devices_fit(const struct treefork_several *several, int devices)
{
    size_t given = several ? treefork_several_given(several) : 0;
    size_t most = several ? several->count : 1;
    return (size_t)devices <= most && (!devices || !given || given == (size_t)devices);
}

/* The model's time of a record's choice at the point; false if it cannot run there. */
static bool choice_time(const struct treefork_tunables *tunables, treefork_int *integers,
                        const struct known_record *k, double *predicted)
{
    const struct treefork_choosing *c = tunables->choosing;
    const struct treefork_machine *machine = treefork_device_machine(c->device);
    struct treefork_prediction time;
    if (k->n_values != tunables->n)
        return false;
    for (int i = 0; i < tunables->n; i++)
        integers[tunables->integers[i]] = k->values[i];
    int status = c->region->select(machine, integers, NULL);
    treefork_evaluation_set(c->evaluation, machine, integers);
    if (status < 0 || (tunables->is_exact && !treefork_evaluation_exact(c->evaluation)) ||
        !treefork_evaluation_best(c->evaluation, k->leaf, &time))
        return false;
    *predicted = time.nanoseconds;
    return true;
}

/* The same with as many devices as the record has. */
static bool choice_fits(const struct treefork_tunables *tunables, treefork_int *integers,
                        const struct known_record *k, double *predicted)
{
    struct treefork_evaluation *e = tunables->choosing->evaluation;
    const struct treefork_several *all = e->several;
    struct treefork_several only;
    if (!devices_fit(all, k->devices))
        return false;
    if (all && k->devices)
        e->several = treefork_several_only(all, (size_t)k->devices, &only);
    bool fits = choice_time(tunables, integers, k, predicted);
    e->several = all;
    return fits;
}

/* A record that serves, and what its choice is reckoned to take. */
struct offer {
    const struct known_record *record;
    int nearness;
    double time, high;
};

static bool offer_make(const struct known_region *known, const struct treefork_tunables *tunables,
                       const struct treefork_place *place, const struct known_record *k,
                       treefork_int *integers, struct offer *offer)
{
    double predicted;
    *offer = (struct offer){.record = k, .nearness = record_nearness(known, k, place)};
    if (offer->nearness == NEAR_NOT || !choice_fits(tunables, integers, k, &predicted))
        return false;
    double scale = 1, most = k->nanoseconds * (1 + TREEFORK_NOISE_MOST);
    if (offer->nearness != NEAR_EQUAL && k->predicted > 0 && predicted < NO_TIME)
        scale = predicted / k->predicted;
    offer->time = k->nanoseconds * scale;
    offer->high = (k->high < most ? k->high : most) * scale;
    return true;
}

/* -1, 0, 1: by level and nearness. */
static int offer_rank(const struct offer *a, const struct offer *b)
{
    if (a->record->level != b->record->level)
        return a->record->level < b->record->level ? -1 : 1;
    return a->nearness == b->nearness ? 0 : a->nearness < b->nearness ? -1 : 1;
}

/* By leaf, then by tunables in their order, then by devices. */
static bool is_before(const struct known_record *a, const struct known_record *b)
{
    if (a->leaf != b->leaf)
        return a->leaf < b->leaf;
    for (int i = 0; i < a->n_values; i++)
        if (a->values[i] != b->values[i])
            return a->values[i] < b->values[i];
    return a->devices < b->devices;
}

/* The fastest offer of the best rank, then of those within its noise the first in the
   fixed order. */
static const struct offer *offer_choose(const struct offer *offers, size_t n)
{
    const struct offer *best = NULL, *first = NULL;
    for (size_t i = 0; i < n; i++) {
        int rank = best ? offer_rank(&offers[i], best) : -1;
        if (rank < 0 || (rank == 0 && offers[i].time < best->time))
            best = &offers[i];
    }
    if (!best)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (offer_rank(&offers[i], best) == 0 && offers[i].time <= best->high &&
            (!first || is_before(offers[i].record, first->record)))
            first = &offers[i];
    return first;
}

static bool known_choose(const struct known_region *known, const struct treefork_tunables *tunables,
                         const struct treefork_place *place, treefork_int *integers,
                         struct treefork_chosen *choice)
{
    struct offer *offers = calloc(known->n + 1, sizeof *offers);
    size_t n = 0;
    for (size_t i = 0; offers && i < known->n; i++)
        n += offer_make(known, tunables, place, &known->records[i], integers, &offers[n]);
    const struct offer *offer = offers ? offer_choose(offers, n) : NULL;
    if (offer) {
        *choice = (struct treefork_chosen){.leaf = offer->record->leaf,
                                           .devices = offer->record->devices,
                                           .n = tunables->n};
        choice->tuned = 1 + (int)offer->record->level + TUNED_LEVELS * offer->nearness;
        for (int i = 0; i < tunables->n; i++) {
            choice->integers[i] = tunables->integers[i];
            choice->values[i] = offer->record->values[i];
        }
    }
    free(offers);
    return offer != NULL;
}

bool treefork_tuned_choose(const struct treefork_tunables *tunables, treefork_int *integers,
                           struct treefork_chosen *choice)
{
    struct treefork_place place;
    pthread_mutex_lock(&known_mutex);
    const struct known_region *known = region_know(tunables->choosing);
    bool is_chosen = known && known->n > 0 && treefork_place_make(tunables, &place) &&
                     known_choose(known, tunables, &place, integers, choice);
    pthread_mutex_unlock(&known_mutex);
    return is_chosen;
}

const char *treefork_tuned_words(int tuned)
{
    static const char *const words[] = {
        "as tuned on this device",
        "as tuned on this architecture",
        "as tuned for any device",
        "as tuned on this device for about this size",
        "as tuned on this architecture for about this size",
        "as tuned for any device and about this size",
        "as tuned on this device for sizes around this one",
        "as tuned on this architecture for sizes around this one",
        "as tuned for any device and sizes around this one",
    };
    return words[(tuned - 1) % (int)(sizeof words / sizeof *words)];
}
