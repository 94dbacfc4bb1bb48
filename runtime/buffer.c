/* Buffers: device copies of host ranges. In: a host range and how a launch will touch it; out: a
   handle (buffer number and access) for the launch's arguments. Invariant: at least one side has
   the newest contents of every byte (runs.h), and a copy is made of bytes alone that the side that
   needs them lacks, so that a loop around a region copies once in and once out. A range that
   begins like a known one but is longer makes the buffer grow: only the rest is copied, into room
   that doubles. Ranges that
   overlap otherwise are different buffers, kept consistent through the host: before one is used,
   newer device contents of the others come back; after one was written, the others are stale.
   Within one launch that cannot work, and treefork_run refuses it.

   Where the device shares the host's memory (treefork_device.shares) a buffer is shared: its memory
   is the host's range, nothing is copied, and a side that has the newest contents may touch the
   range. The host takes it back by waiting for the device, for all buffers at once. Three things
   are different. A shared buffer that is stale has no memory on the device, so that nothing is
   left of an array that the program frees. The host may not write, nor free, what launches in
   flight still read. A launch that may fail has what it writes saved (launch.c). Checked builds
   share nothing, since they poison what is not copied in.

   A buffer that is overwritten needs memory on the device and no contents; until the launch the
   host has the newest ones, unless the device had them before.

   Scratch arrays are local arrays of a function that its host code never names. They have no
   values at their first use, and come back only where host code may run another function of the
   same thread or the serial program (treefork_host), so that those of the innermost function
   alone are newer on the device when it ends. Their buffers are kept until then. */
#include "runtime/group.h"
#include "runtime/overlap.h"
#include "runtime/stays.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A buffer without newer contents is forgotten when USES_KEPT uses of other buffers have passed
   since its last one, because its array may have been freed. A launch has fewer arguments, and a
   program fewer regions in turn. */
enum { ACCESS_BITS = 3, USES_KEPT = 1024, POISON = 0xa5, POISON_PIECE = 1 << 16 };

/* Of an array that kernels may work in: no access of theirs has more bytes. */
enum { SHARED_ALIGNMENT = 16 };

struct treefork_buffer *treefork_buffer_find(struct treefork_device *device, uint64_t handle)
{
    for (struct treefork_buffer *b = device->buffers; b; b = b->next)
        if (b->id == handle >> ACCESS_BITS)
            return b;
    return NULL;
}

uint64_t treefork_buffer_handle(const struct treefork_buffer *b, unsigned access)
{
    return b->id << ACCESS_BITS | access;
}

unsigned treefork_buffer_access(uint64_t handle)
{
    return (unsigned)(handle & (TREEFORK_READ | TREEFORK_WRITE | TREEFORK_OVERWRITE));
}

bool treefork_buffer_overlaps(const struct treefork_buffer *a, const struct treefork_buffer *b)
{
    uintptr_t x = (uintptr_t)a->host, y = (uintptr_t)b->host;
    bool overlaps = x <= y ? y - x < a->bytes : x - y < b->bytes;
    return overlaps && !a->partial && !b->partial;
}

int treefork_buffer_settle(struct treefork_device *device, struct treefork_buffer *b)
{
    int status = device->driver->memory_settle(device, b->memory, b->bytes);
    b->is_settling = status == TREEFORK_OK;
    device->in_flight += b->is_settling;
    return status;
}

int treefork_buffers_wait(struct treefork_device *device)
{
    int status = treefork_launches_wait(device);
    for (struct treefork_buffer *b = device->buffers; b; b = b->next) {
        if (b->is_settling && status == TREEFORK_OK)
            treefork_runs_gain(&b->runs, SIDE_OF_HOST);
        b->is_settling = false;
    }
    return status;
}

/* Both sides are one memory. */
static int attached_wait(struct treefork_device *device, struct treefork_buffer *b)
{
    int status = treefork_buffers_wait(device);
    if (!status)
        treefork_runs_gain(&b->runs, SIDE_OF_HOST);
    return status;
}

int treefork_buffer_download(struct treefork_device *device, struct treefork_buffer *b)
{
    if (treefork_runs_has(&b->runs, SIDE_OF_HOST))
        return TREEFORK_OK;
    if (device->lost)
        return treefork_fail(TREEFORK_LOST,
                             "the newest contents of the array at %p (%zu bytes) are lost with it"
                             "%s%s",
                             (void *)b->host, b->bytes, *device->loss ? ": " : "", device->loss);
    if (b->place.address == b->host)
        return attached_wait(device, b);
    if (b->is_reserved) {
        int opened = treefork_attached_open(b);
        if (opened)
            return opened;
    }
    if (!b->is_shared)
        return treefork_exchange_need(device, b, SIDE_OF_HOST, treefork_row_of(0, b->bytes));
    int status = treefork_buffer_settle(device, b);
    return status ? status : treefork_buffers_wait(device);
}

void treefork_buffer_memory_free(struct treefork_device *device, struct treefork_buffer *b)
{
    if (b->others)
        treefork_order_settle(device, b);
    if (b->memory.address && (b->is_foreign || b->whole))
        device->driver->memory_leave(device, b->memory);
    else if (b->memory.address)
        device->driver->memory_free(device, b->memory);
    b->memory.address = 0;
    treefork_runs_leave(&b->runs, SIDE_OF_MEMBER, NULL, NULL);
    if (b->others)
        treefork_exchange_free(device, b);
}

void treefork_buffer_stale(struct treefork_device *device, struct treefork_buffer *b)
{
    bool is_one = b->is_attached && b->place.address == b->host;
    treefork_runs_set(&b->runs, is_one ? SIDE_OF_HOST | SIDE_OF_MEMBER : SIDE_OF_HOST);
    if (b->is_shared)
        treefork_buffer_memory_free(device, b);
}

static bool is_evictable(const struct treefork_buffer *b)
{
    return !b->is_shared && !b->is_lent && !b->is_attached && !b->whole;
}

bool treefork_buffer_evict(struct treefork_device *device, const struct treefork_buffer *keep)
{
    bool any = false;
    for (struct treefork_buffer *b = device->buffers; b; b = b->next)
        if (b != keep && (b->memory.address || b->others) && is_evictable(b) &&
            treefork_runs_has(&b->runs, SIDE_OF_HOST)) {
            treefork_buffer_memory_free(device, b);
            any = true;
        }
    return any;
}

int treefork_buffer_upload(struct treefork_device *device, struct treefork_buffer *b)
{
    if (treefork_runs_has(&b->runs, SIDE_OF_MEMBER))
        return TREEFORK_OK;
    int status = treefork_exchange_reserve(device, b, 0, 0, b->bytes);
    if (status)
        return status;
    if (!b->is_shared)
        return treefork_exchange_need(device, b, SIDE_OF_MEMBER, treefork_row_of(0, b->bytes));
    treefork_runs_gain(&b->runs, SIDE_OF_MEMBER);
    return TREEFORK_OK;
}

void treefork_buffer_written(struct treefork_device *device, struct treefork_buffer *written)
{
    struct treefork_buffer *holder = treefork_buffer_holder(written);
    if (written->partial && !device->group)
        return;
    treefork_runs_set(&holder->runs, SIDE_OF_MEMBER);
    treefork_buffer_spread(device, holder, written);
}

void treefork_buffer_drop(struct treefork_device *device, struct treefork_buffer **place)
{
    struct treefork_buffer *b = *place;
    treefork_buffer_memory_free(device, b);
    *place = b->next;
    treefork_runs_free(&b->runs);
    free(b->saved);
    free(b);
}

/* The range of a known buffer changes. A stale device copy takes the new length, so that no byte is
   read that the array no longer has. A longer range keeps its memory if that has room: the rest is
   copied when it is needed; else everything comes through the host again. */
static int buffer_resize(struct treefork_device *device, struct treefork_buffer *b, size_t bytes)
{
    bool is_there = treefork_runs_touches(&b->runs, ~(uint64_t)SIDE_OF_HOST);
    if (bytes == b->bytes || (bytes < b->bytes && is_there))
        return TREEFORK_OK;
    if (b->is_lent && bytes > b->capacity)
        return treefork_fail(TREEFORK_ARGUMENT,
                             "the array at %p cannot grow from %zu to %zu bytes: the program has "
                             "its device memory (treefork_release ends that)",
                             (void *)b->host, b->bytes, bytes);
    size_t room = treefork_exchange_room(device, b);
    if (bytes > room || b->is_shared) {
        int status = treefork_buffer_download(device, b);
        if (status)
            return status;
        treefork_buffer_stale(device, b);
    }
    if (bytes > room) {
        b->grows = b->grows || b->memory.address;
        treefork_buffer_memory_free(device, b);
    }
    int status = treefork_runs_resize(&b->runs, bytes, SIDE_OF_HOST);
    if (!status)
        b->bytes = bytes;
    return status;
}

/* Nothing is lost with it. */
static bool is_forgettable(const struct treefork_device *device, const struct treefork_buffer *b)
{
    if (b->is_scratch || b->is_attached || b->is_lent)
        return false;
    return b->whole || (!treefork_runs_touches(&b->runs, ~(uint64_t)SIDE_OF_HOST) &&
                        (!b->is_shared || device->in_flight == 0));
}

static void buffers_forget(struct treefork_device *device)
{
    for (struct treefork_buffer **place = &device->buffers; *place;) {
        struct treefork_buffer *b = *place;
        if (device->uses - b->used > USES_KEPT && is_forgettable(device, b))
            treefork_buffer_drop(device, place);
        else
            place = &b->next;
    }
}

/* From now on the buffer has memory of its own on the device. */
static int buffer_part(struct treefork_device *device, struct treefork_buffer *b)
{
    int status = treefork_buffer_download(device, b);
    if (status)
        return status;
    treefork_buffer_stale(device, b);
    b->is_shared = false;
    return TREEFORK_OK;
}

static int buffer_known(struct treefork_device *device, struct treefork_buffer *b, size_t bytes,
                        bool apart)
{
    int status = apart && b->is_shared ? buffer_part(device, b) : TREEFORK_OK;
    return status ? status : buffer_resize(device, b, bytes);
}

bool treefork_may_share(const struct treefork_device *device, const void *host)
{
    return device->shares && (uintptr_t)host % SHARED_ALIGNMENT == 0;
}

bool treefork_host_has(const struct treefork_device *device, const void *host)
{
    for (const struct treefork_buffer *b = device->buffers; b; b = b->next)
        if (treefork_buffer_holds(b, host) && !treefork_runs_has(&b->runs, SIDE_OF_HOST))
            return false;
    return true;
}

/* The buffer that begins at `host`, new or resized if need be. `apart`: it works on a copy also
   where the device shares memory. */
static int buffer_get(struct treefork_device *device, char *host, size_t bytes, bool apart,
                      struct treefork_buffer **result)
{
    struct treefork_buffer *b = device->buffers;
    while (b && b->host != host)
        b = b->next;
    *result = b;
    if (b)
        return buffer_known(device, b, bytes, apart);
    buffers_forget(device);
    b = calloc(1, sizeof *b);
    if (!b)
        return treefork_fail(TREEFORK_MEMORY, "no memory for a buffer");
    *b = (struct treefork_buffer){.next = device->buffers,
                                  .id = ++device->buffer_count,
                                  .host = host,
                                  .bytes = bytes,
                                  .is_shared = !apart && treefork_may_share(device, host),
                                  .runs = treefork_runs_of(SIDE_OF_HOST, bytes)};
    *result = device->buffers = b;
    return TREEFORK_OK;
}

int treefork_buffer_ready(struct treefork_device *device, struct treefork_buffer *b,
                          unsigned access)
{
    struct treefork_buffer *holder = treefork_buffer_holder(b);
    treefork_device_leaves(device);
    int status = treefork_buffer_settle_others(device, holder);
    if (status)
        return status;
    if (access & TREEFORK_OVERWRITE && b == holder)
        return treefork_exchange_reserve(device, b, 0, 0, b->bytes);
    status = treefork_buffer_upload(device, holder);
    if (!status && b != holder)
        treefork_runs_set(&b->runs, SIDE_OF_HOST | SIDE_OF_MEMBER);
    return status;
}

int treefork_buffer_poison(struct treefork_device *device, struct treefork_buffer *b, size_t bytes)
{
    unsigned char pattern[POISON_PIECE];
    int status = TREEFORK_OK;
    memset(pattern, POISON, sizeof pattern);
    for (size_t at = 0; at < bytes && !status; at += sizeof pattern) {
        size_t end = bytes - at < sizeof pattern ? bytes : at + sizeof pattern;
        struct treefork_row row = treefork_row_of(at, end);
        status = device->driver->memory_write(device, b->memory, &row, pattern, row.pitch);
    }
    return status;
}

/* Its memory on the device, with the newest contents where they matter. */
static int buffer_fill(struct treefork_device *device, struct treefork_buffer *b, size_t bytes,
                       unsigned access, bool checked)
{
    if (device->group && treefork_is_spread(device, b))
        return treefork_exchange_later(device, b, access);
    if (b->whole)
        access &= ~(unsigned)TREEFORK_SCRATCH;
    bool is_void = access & TREEFORK_SCRATCH && b->used == 0;
    b->used = ++device->uses;
    b->is_scratch = access & TREEFORK_SCRATCH;
    b->owner = pthread_self();
    int status =
        treefork_buffer_ready(device, b, access | (is_void ? (unsigned)TREEFORK_OVERWRITE : 0));
    if (!status && is_void)
        treefork_runs_gain(&b->runs, SIDE_OF_MEMBER);
    if (status || !checked || !(is_void || access & TREEFORK_OVERWRITE))
        return status;
    return treefork_buffer_poison(device, b, bytes);
}

/* An array that is not attached. Of several devices each may have a part of it. */
static int buffer_own(struct treefork_device *device, char *host, size_t bytes, bool apart,
                      struct treefork_buffer **result)
{
    int status = treefork_buffers_fit(device, "treefork_use", bytes, bytes);
    if (status && device->group)
        status = TREEFORK_OK;
    if (!status && apart)
        status = treefork_extent_check(device, host, bytes);
    return status ? status : buffer_get(device, host, bytes, apart, result);
}

static int buffer_use(struct treefork_device *device, char *host, size_t bytes, unsigned access,
                      bool checked, uint64_t *handle)
{
    struct treefork_buffer *b, *whole = treefork_attached_find(device, host);
    if (device->lost)
        return treefork_fail(TREEFORK_LOST, "%s must be closed and opened again", device->name);
    treefork_device_leaves(device);
    int status = whole ? treefork_attached_piece(device, whole, host, bytes, &b)
                       : buffer_own(device, host, bytes, checked, &b);
    if (!status)
        status = buffer_fill(device, b, bytes, access, checked);
    if (!status)
        *handle = treefork_buffer_handle(b, access & ~(unsigned)TREEFORK_SCRATCH);
    return status;
}

/* Device memory of the library's copies, which are made again if need be. */
static uint64_t buffers_capacity(const struct treefork_device *device)
{
    uint64_t sum = 0;
    for (const struct treefork_buffer *b = device->buffers; b; b = b->next)
        if (!b->is_attached && !b->is_shared && b->memory.address)
            sum += b->capacity;
    return sum;
}

int treefork_buffers_find_room(struct treefork_device *device, const char *what, uint64_t bytes,
                               uint64_t largest)
{
    uint64_t left = 0, own = buffers_capacity(device);
    int status = treefork_buffers_fit(device, what, bytes, largest);
    if (status || device->shares || bytes <= own || !device->driver->memory_left ||
        !device->driver->memory_left(device, &left) || bytes - own <= left)
        return status;
    return treefork_fail(TREEFORK_MEMORY,
                         "%s needs %" PRIu64 " bytes for its arrays, and of %s %" PRIu64
                         " are free",
                         what, bytes, device->name, left + own);
}

int treefork_buffers_fit(const struct treefork_device *device, const char *what, uint64_t bytes,
                         uint64_t largest)
{
    if (device->shares)
        return TREEFORK_OK;
    if (device->memory_one && largest > device->memory_one)
        return treefork_fail(TREEFORK_MEMORY,
                             "%s needs an array of %" PRIu64 " bytes, and %s has at most %" PRIu64
                             " for one",
                             what, largest, device->name, device->memory_one);
    if (device->memory_all && bytes > device->memory_all)
        return treefork_fail(TREEFORK_MEMORY,
                             "%s needs %" PRIu64 " words for its arrays, and %s has %" PRIu64,
                             what, (bytes + 3) / 4, device->name, device->memory_all / 4);
    return TREEFORK_OK;
}

int treefork_buffer_take(struct treefork_device *device, const void *host, size_t bytes,
                         unsigned access, bool checked, uint64_t *handle)
{
    *handle = 0;
    if (bytes == 0 || (!host && access & TREEFORK_OPTIONAL))
        return TREEFORK_OK;
    access &= ~(unsigned)(TREEFORK_OPTIONAL | TREEFORK_HOME);
    if (!host)
        return treefork_fail(TREEFORK_ARGUMENT, "an array of %zu bytes is NULL", bytes);
    if (bytes > PTRDIFF_MAX || bytes > UINTPTR_MAX - (uintptr_t)host)
        return treefork_fail(TREEFORK_MEMORY, "an array of %zu bytes exceeds the address space",
                             bytes);
    return buffer_use(device, (char *)host, bytes, access, checked || device->checked, handle);
}

static bool access_is_right(unsigned access, unsigned all)
{
    return access & (TREEFORK_READ | TREEFORK_WRITE) && !(access & ~all) &&
           (access & (TREEFORK_WRITE | TREEFORK_OVERWRITE)) != TREEFORK_OVERWRITE;
}

static int buffer_request(struct treefork_device *device, const void *host, size_t bytes,
                          unsigned access, bool checked, uint64_t *handle)
{
    const unsigned all = TREEFORK_READ | TREEFORK_WRITE | TREEFORK_OVERWRITE | TREEFORK_SCRATCH |
                         TREEFORK_OPTIONAL;
    *handle = 0;
    if (!device || !access_is_right(access, all))
        return treefork_fail(TREEFORK_ARGUMENT, "treefork_use: wrong argument");
    pthread_mutex_lock(&device->mutex);
    int status = treefork_buffer_take(device, host, bytes, access, checked, handle);
    pthread_mutex_unlock(&device->mutex);
    return status;
}

/* The names in parentheses keep a checked build's macro away. */
int(treefork_use)(struct treefork_device *device, const void *host, size_t bytes, unsigned access,
                  uint64_t *handle)
{
    return buffer_request(device, host, bytes, access, false, handle);
}

int treefork_use_checked(struct treefork_device *device, const void *host, size_t bytes,
                         unsigned access, uint64_t *handle)
{
    return buffer_request(device, host, bytes, access, true, handle);
}

/* The device's copy becomes the program's too: it stays where it is. */
static int buffer_lend(struct treefork_device *device, char *host, size_t bytes, unsigned access,
                       union treefork_object *memory)
{
    uint64_t handle;
    struct treefork_buffer *b = NULL;
    bool is_attached = treefork_attached_find(device, host) != NULL;
    int status = is_attached || device->lost ? TREEFORK_OK
                                             : buffer_get(device, host, bytes, true, &b);
    if (!status)
        status = buffer_use(device, host, bytes, access, device->checked, &handle);
    if (status)
        return status;
    b = treefork_buffer_find(device, handle);
    if (treefork_is_spread(device, b))
        status = treefork_buffer_ready(device, b, access);
    if (!status)
        status = treefork_exchange_reserve(device, b, 0, 0, b->bytes);
    if (!status)
        status = treefork_order_settle(device, b);
    if (status)
        return status;
    b->is_lent = true;
    if (access & TREEFORK_WRITE)
        treefork_buffer_written(device, b);
    *memory = b->memory;
    return TREEFORK_OK;
}

int treefork_device_memory(struct treefork_device *device, const void *array, size_t bytes,
                           unsigned access, void **memory)
{
    const unsigned all = TREEFORK_READ | TREEFORK_WRITE | TREEFORK_OVERWRITE;
    union treefork_object object = {0};
    *memory = NULL;
    if (!device || !array || bytes == 0 || bytes > PTRDIFF_MAX || !access_is_right(access, all))
        return treefork_fail(TREEFORK_ARGUMENT, "treefork_device_memory: wrong argument");
    pthread_mutex_lock(&device->mutex);
    int status = buffer_lend(device, (char *)array, bytes, access, &object);
    pthread_mutex_unlock(&device->mutex);
    *memory = object.pointer;
    return status;
}

int treefork_buffer_save(struct treefork_device *device, struct treefork_buffer *b)
{
    int status = treefork_buffer_download(device, b);
    if (status)
        return status;
    b->saved = malloc(b->bytes);
    if (!b->saved)
        return treefork_fail(TREEFORK_MEMORY, "no memory to save an array of %zu bytes", b->bytes);
    memcpy(b->saved, b->host, b->bytes);
    return TREEFORK_OK;
}

void treefork_buffer_saved(struct treefork_device *device, struct treefork_buffer *b,
                           bool has_failed)
{
    if (b->saved && has_failed) {
        memcpy(b->host, b->saved, b->bytes);
        treefork_buffer_stale(device, b);
    }
    free(b->saved);
    b->saved = NULL;
}

void treefork_buffer_free_all(struct treefork_device *device)
{
    treefork_attached_discard(device, NULL, SIZE_MAX);
    while (device->buffers)
        treefork_buffer_drop(device, &device->buffers);
}
