/* What a tuned choice is for, and its record. In: a region at a point, a device; out: the texts by
   which records are compared. A record is used only if the texts of the region's kernels are those
   that were tuned: their digest is in it. The driver is a digest, too, of everything that decides
   which binary the driver's compiler makes (the key of the cache on disk), so that another version
   of driver or compiler counts as another device of the same architecture. */
#include "runtime/tuned.h"
#include "runtime/group.h"
#include <stdlib.h>

void treefork_source_end(const struct treefork_hash *hash, char digest[DIGEST_ROOM])
{
    unsigned char bytes[TREEFORK_HASH_BYTES];
    treefork_hash_end(hash, bytes);
    for (int i = 0; i < TREEFORK_HASH_BYTES; i++)
        snprintf(digest + 2 * i, 3, "%02x", bytes[i]);
}

/* The text and its end, so that no two lists of texts have the same bytes. */
static void hash_text(struct treefork_hash *hash, const char *text)
{
    treefork_hash_add(hash, text ? text : "", (text ? strlen(text) : 0) + 1);
}

void treefork_source_start(struct treefork_hash *hash, const char *region)
{
    treefork_hash_start(hash);
    hash_text(hash, region);
}

void treefork_source_leaf(struct treefork_hash *hash, uint16_t leaf)
{
    treefork_hash_add(hash, &leaf, sizeof leaf);
}

void treefork_source_condition(struct treefork_hash *hash, const char *text)
{
    hash_text(hash, text);
}

void treefork_source_kernel(struct treefork_hash *hash, const char *text, const char *entry,
                            bool is_contracted)
{
    const unsigned char contract = is_contracted;
    size_t length = strlen(entry);
    const char *at = text ? text : "", *next;
    while (length && (next = strstr(at, entry))) {
        treefork_hash_add(hash, at, (size_t)(next - at));
        at = next + length;
    }
    hash_text(hash, at);
    treefork_hash_add(hash, &contract, sizeof contract);
}

void treefork_identify_source(const struct treefork_region *region, char digest[DIGEST_ROOM])
{
    struct treefork_hash hash;
    treefork_source_start(&hash, region->name);
    for (size_t i = 0; i < region->n_leaves; i++) {
        const struct treefork_leaf_row *leaf = &region->leaves[i];
        const uint16_t *fits = region->lists + leaf->fits;
        treefork_source_leaf(&hash, leaf->id);
        for (size_t k = 1; k <= fits[0]; k++)
            treefork_source_condition(&hash, region->conditions[fits[k]].text);
        for (size_t k = 0; k < leaf->count; k++) {
            const struct treefork_launch_row *row = &region->launches[leaf->first + k];
            const struct treefork_module *module = &region->modules[row->module];
            treefork_source_kernel(&hash, module->opencl, module->name, module->contract);
            if (row->joined == TREEFORK_NONE)
                continue;
            module = &region->modules[row->joined];
            treefork_source_kernel(&hash, module->cuda, module->name, module->contract);
        }
    }
    treefork_source_end(&hash, digest);
}

static void driver_digest(const struct treefork_region *region, struct treefork_device *device,
                          char text[DIGEST_ROOM])
{
    const struct treefork_module *module = region->modules;
    struct treefork_launch launch = {.module = module};
    struct treefork_choice choice;
    struct treefork_text key = {0};
    struct treefork_hash hash;
    pthread_mutex_lock(&device->mutex);
    if (module && device->driver->program_key && device->driver->choose) {
        bool has_text = device->driver->choose(device, &launch, &choice) == TREEFORK_OK;
        device->driver->program_key(device, &launch, has_text ? choice.text : NULL, &key);
    }
    pthread_mutex_unlock(&device->mutex);
    treefork_hash_start(&hash);
    hash_text(&hash, key.text);
    free(key.text);
    treefork_source_end(&hash, text);
}

/* "cuda:90"; a device that tells no capability is its own architecture. Several devices have the
   architecture of the first. */
static void architecture_print(const struct treefork_device *device, char *text, size_t room)
{
    int64_t capability = device->machine.value[TREEFORK_A_D];
    int length = (int)(device->group ? device->group->name : strlen(device->name));
    if (capability > 0 && capability != TREEFORK_UNLIMITED)
        snprintf(text, room, "%s:%lld", device->kind, (long long)capability);
    else
        snprintf(text, room, "%s:%.*s", device->kind, length, device->name);
}

void treefork_identify(const struct treefork_region *region, struct treefork_device *device,
                       struct treefork_identity *identity)
{
    treefork_identify_source(region, identity->source);
    driver_digest(region, device, identity->driver);
    architecture_print(device, identity->architecture, sizeof identity->architecture);
}

/* --- points ---------------------------------------------------------------------------------- */

/* Adds "name=value" or "name" to a list; false if there is no room. */
static bool list_add(char *list, size_t room, const char *name, const char *value)
{
    size_t length = strlen(list);
    int n = snprintf(list + length, room - length, "%s%s%s%s", length ? "," : "", name,
                     *value ? "=" : "", value);
    return n >= 0 && (size_t)n < room - length;
}

static bool is_chosen(const struct treefork_tunables *tunables, size_t integer)
{
    for (int i = 0; i < tunables->n; i++)
        if (tunables->integers[i] == integer)
            return true;
    return false;
}

static bool is_rounded(const struct treefork_region *region, size_t integer)
{
    for (size_t i = 0; i < region->n_sizes; i++)
        if (region->sizes[i].integer == integer)
            return true;
    return false;
}

/* What no size takes up and no loop of the host changes. */
static bool fixed_print(const struct treefork_tunables *tunables, char *list, size_t room)
{
    const struct treefork_choosing *c = tunables->choosing;
    bool fits = true;
    *list = '\0';
    for (size_t i = 0; fits && i < c->region->n_parameters; i++) {
        const struct treefork_parameter_row *p = &c->region->parameters[i];
        char value[32];
        if (p->integer == TREEFORK_NONE || p->varies || is_chosen(tunables, p->integer) ||
            is_rounded(c->region, p->integer))
            continue;
        snprintf(value, sizeof value, "%lld", (long long)c->integers[p->integer]);
        fits = list_add(list, room, p->name, value);
    }
    return fits;
}

static bool names_print(const struct treefork_tunables *tunables, char *list, size_t room)
{
    const struct treefork_region *region = tunables->choosing->region;
    bool fits = true;
    *list = '\0';
    for (int i = 0; fits && i < tunables->n; i++)
        fits = list_add(list, room, region->parameters[tunables->rows[i]->parameter].name, "");
    return fits;
}

bool treefork_place_make(const struct treefork_tunables *tunables, struct treefork_place *place)
{
    const struct treefork_choosing *c = tunables->choosing;
    const struct treefork_region *region = c->region;
    if (region->n_sizes > SIZES_MAX ||
        !fixed_print(tunables, place->fixed, sizeof place->fixed) ||
        !names_print(tunables, place->names, sizeof place->names))
        return false;
    treefork_evaluation_set(c->evaluation, treefork_device_machine(c->device), c->integers);
    place->n_sizes = region->n_sizes;
    for (int i = 0; i < place->n_sizes; i++)
        if (region->sizes[i].varies)
            place->sizes[i] = ANY_SIZE;
        else if (!treefork_evaluation_value(c->evaluation, region->sizes[i].value,
                                            &place->sizes[i]) ||
                 place->sizes[i] < 0)
            return false;
    return true;
}

/* --- records --------------------------------------------------------------------------------- */

/* The members of a record's line. */
static const struct record_row {
    const char *name;
    size_t at, room;               /* of a text; room 0: an integer of 64 bits */
    bool is_optional;
} record_rows[] = {
#define TEXT(name) {#name, offsetof(struct treefork_record, name),                                 \
                    sizeof ((struct treefork_record *)0)->name, false}
#define NUMBER(name) {#name, offsetof(struct treefork_record, name), 0, false}
    TEXT(region), TEXT(source), TEXT(kind), TEXT(device), TEXT(architecture), TEXT(driver),
    TEXT(names), TEXT(fixed), TEXT(sizes), TEXT(choice),
    NUMBER(nanoseconds), NUMBER(low), NUMBER(high), NUMBER(predicted),
    {"parameters", offsetof(struct treefork_record, parameters),
     sizeof ((struct treefork_record *)0)->parameters, true},
#undef TEXT
#undef NUMBER
};
enum { RECORD_ROWS = sizeof record_rows / sizeof *record_rows };

struct record_reading {
    struct treefork_record *record;
    unsigned found;                /* a bit for each row */
};

static int record_member(void *state, const struct treefork_json_member *member)
{
    struct record_reading *r = state;
    if (strcmp(member->key, "leaf") == 0 && member->kind == TREEFORK_JSON_INTEGER &&
        member->integer > 0 && member->integer < TREEFORK_NONE)
        r->record->leaf = (int)member->integer;
    if (strcmp(member->key, "generic") == 0 && member->kind == TREEFORK_JSON_INTEGER)
        r->record->is_generic = member->integer != 0;
    if (strcmp(member->key, "devices") == 0 && member->kind == TREEFORK_JSON_INTEGER &&
        member->integer > 0 && member->integer <= TREEFORK_MEMBERS_MAX)
        r->record->devices = (int)member->integer;
    for (unsigned i = 0; i < RECORD_ROWS; i++) {
        const struct record_row *row = &record_rows[i];
        char *at = (char *)r->record + row->at;
        if (strcmp(row->name, member->key) != 0)
            continue;
        if (row->room && member->kind == TREEFORK_JSON_STRING &&
            strlen(member->string) < row->room)
            memcpy(at, member->string, strlen(member->string) + 1);
        else if (!row->room && member->kind == TREEFORK_JSON_INTEGER && member->integer >= 0)
            memcpy(at, &member->integer, sizeof member->integer);
        else
            return TREEFORK_FILE;
        r->found |= 1u << i;
    }
    return TREEFORK_OK;
}

static bool members_are_there(unsigned found)
{
    for (unsigned i = 0; i < RECORD_ROWS; i++)
        if (!record_rows[i].is_optional && !(found >> i & 1))
            return false;
    return true;
}

bool treefork_record_read(const char *line, size_t length, struct treefork_record *record)
{
    struct record_reading reading = {.record = record};
    memset(record, 0, sizeof *record);
    return treefork_json_flat(line, length, TREEFORK_TUNED_FILE, record_member, &reading) ==
               TREEFORK_OK &&
           members_are_there(reading.found) && record->leaf > 0 &&
           record->low <= record->nanoseconds && record->nanoseconds <= record->high;
}

struct treefork_text treefork_record_line(const struct treefork_record *record)
{
    struct treefork_text line = {0};
    treefork_text_add(&line, "{\"leaf\": %d, \"generic\": %d", record->leaf, record->is_generic);
    if (record->devices)
        treefork_text_add(&line, ", \"devices\": %d", record->devices);
    for (unsigned i = 0; i < RECORD_ROWS; i++) {
        const struct record_row *row = &record_rows[i];
        const char *at = (const char *)record + row->at;
        int64_t number = 0;
        if (row->room) {
            treefork_store_add(&line, row->name, at);
            continue;
        }
        memcpy(&number, at, sizeof number);
        treefork_text_add(&line, ", \"%s\": %lld", row->name, (long long)number);
    }
    treefork_text_add(&line, "}");
    return line;
}

int treefork_sizes_read(const char *text, treefork_int *sizes)
{
    int n = 0;
    while (*text) {
        char *end;
        long long value = strtoll(text, &end, 10);
        if (end == text || (*end && *end != ',') || n == SIZES_MAX || value < ANY_SIZE)
            return -1;
        sizes[n++] = value;
        text = end + (*end == ',');
    }
    return n;
}
