/* Buffers: device copies of host ranges. In: a host range and how a launch will touch it; out: a
   handle (buffer number and access) for the launch's arguments. Invariant: of every buffer at
   least one side is valid; a copy happens only when the side that is needed is stale, so that a
   loop around a region copies once in and once out. A range that begins like a known one but is
   longer makes the buffer grow: only the rest is copied, into room that doubles. Ranges that
   overlap otherwise are different buffers, kept consistent through the host: before one is used,
   newer device contents of the others come back; after one was written, the others are stale.
   Within one launch that cannot work, and treefork_run refuses it.

   Where the device shares the host's memory (treefork_device.shares) a buffer is shared: its memory
   is the host's range, nothing is copied, and a side being valid means that it may touch the
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
#include "runtime/internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A buffer without newer contents is forgotten when USES_KEPT uses of other buffers have passed
   since its last one, because its array may have been freed. A launch has fewer arguments, and a
   program fewer regions in turn. */
enum { ACCESS_BITS = 3, USES_KEPT = 1024, POISON = 0xa5 };

/* Of an array that kernels may work in: no access of theirs has more bytes. */
enum { SHARED_ALIGNMENT = 16 };

struct treefork_buffer *treefork_buffer_find(struct treefork_device *device, uint64_t handle)
{
    for (struct treefork_buffer *b = device->buffers; b; b = b->next)
        if (b->id == handle >> ACCESS_BITS)
            return b;
    return NULL;
}

unsigned treefork_buffer_access(uint64_t handle)
{
    return (unsigned)(handle & (TREEFORK_READ | TREEFORK_WRITE | TREEFORK_OVERWRITE));
}

bool treefork_buffer_overlaps(const struct treefork_buffer *a, const struct treefork_buffer *b)
{
    uintptr_t x = (uintptr_t)a->host, y = (uintptr_t)b->host;
    return x <= y ? y - x < a->bytes : x - y < b->bytes;
}

static int buffer_copy_back(struct treefork_device *device, struct treefork_buffer *b)
{
    int status = device->driver->memory_read(device, b->memory, b->host, b->filled);
    if (status)         /* or a launch before it failed: that cannot be told apart */
        return device->in_flight ? treefork_launches_lost(device) : status;
    device->in_flight = 0;      /* the copy came behind all launches */
    b->host_valid = true;
    device->statistics.copies_to_host++;
    device->statistics.bytes_to_host += b->filled;
    return TREEFORK_OK;
}

static int buffer_settle(struct treefork_device *device, struct treefork_buffer *b)
{
    int status = device->driver->memory_settle(device, b->memory, b->bytes);
    b->is_settling = status == TREEFORK_OK;
    device->in_flight += b->is_settling;
    return status;
}

/* Waits for the device; the host then has the buffers that were settling. */
static int buffers_wait(struct treefork_device *device)
{
    int status = treefork_launches_wait(device);
    for (struct treefork_buffer *b = device->buffers; b; b = b->next) {
        b->host_valid = b->host_valid || (b->is_settling && status == TREEFORK_OK);
        b->is_settling = false;
    }
    return status;
}

static int buffer_download(struct treefork_device *device, struct treefork_buffer *b)
{
    if (b->host_valid)
        return TREEFORK_OK;
    if (device->lost)
        return treefork_fail(TREEFORK_LOST,
                             "the newest contents of the array at %p (%zu bytes) are lost with it"
                             "%s%s",
                             (void *)b->host, b->bytes, *device->loss ? ": " : "", device->loss);
    if (!b->is_shared)
        return buffer_copy_back(device, b);
    int status = buffer_settle(device, b);
    return status ? status : buffers_wait(device);
}

static void buffer_memory_free(struct treefork_device *device, struct treefork_buffer *b)
{
    if (b->memory.address)
        device->driver->memory_free(device, b->memory);
    b->memory.address = 0;
    b->device_valid = false;
}

/* The host has newer contents. */
static void buffer_stale(struct treefork_device *device, struct treefork_buffer *b)
{
    b->device_valid = false;
    if (b->is_shared)
        buffer_memory_free(device, b);
}

bool treefork_buffer_evict(struct treefork_device *device, const struct treefork_buffer *keep)
{
    bool any = false;
    for (struct treefork_buffer *b = device->buffers; b; b = b->next)
        if (b != keep && b->memory.address && b->host_valid && !b->is_shared) {
            buffer_memory_free(device, b);
            any = true;
        }
    return any;
}

/* Device memory is short: what the host has too can go and come back at its next use. */
static int buffer_memory(struct treefork_device *device, struct treefork_buffer *b)
{
    if (b->memory.address)
        return TREEFORK_OK;
    if (b->is_shared)
        return device->driver->memory_share(device, b->host, b->bytes, &b->memory);
    b->capacity = 2 * b->bytes;
    if (b->grows && !device->driver->memory_new(device, b->capacity, &b->memory))
        return TREEFORK_OK;
    int status = device->driver->memory_new(device, b->bytes, &b->memory);
    if (status == TREEFORK_MEMORY && treefork_buffer_evict(device, b))
        status = device->driver->memory_new(device, b->bytes, &b->memory);
    b->capacity = status ? 0 : b->bytes;
    return status;
}

static int buffer_upload(struct treefork_device *device, struct treefork_buffer *b)
{
    size_t from = b->device_valid ? b->filled : 0;
    if (from == b->bytes)
        return TREEFORK_OK;
    int status = buffer_memory(device, b);
    if (!status && !b->is_shared)
        status = device->driver->memory_write(device, b->memory, from, b->host + from,
                                              b->bytes - from);
    if (status)
        return status;
    b->device_valid = true;
    b->filled = b->bytes;
    if (b->is_shared)
        return TREEFORK_OK;
    device->statistics.copies_to_device++;
    device->statistics.bytes_to_device += b->bytes - from;
    return TREEFORK_OK;
}

void treefork_buffer_written(struct treefork_device *device, struct treefork_buffer *written)
{
    written->host_valid = false;
    written->device_valid = true;
    written->filled = written->bytes;
    for (struct treefork_buffer *b = device->buffers; b; b = b->next)
        if (b != written && treefork_buffer_overlaps(b, written))
            buffer_stale(device, b);
}

/* Unlinks and frees *place. */
static void buffer_drop(struct treefork_device *device, struct treefork_buffer **place)
{
    struct treefork_buffer *b = *place;
    buffer_memory_free(device, b);
    *place = b->next;
    free(b->saved);
    free(b);
}

/* Newer device contents of the buffers that overlap `wanted` come to the host, which `wanted` will
   be filled from. */
static int buffer_settle_others(struct treefork_device *device,
                                const struct treefork_buffer *wanted)
{
    for (struct treefork_buffer *b = device->buffers; b; b = b->next) {
        if (b == wanted || b->host_valid || !treefork_buffer_overlaps(b, wanted))
            continue;
        int status = buffer_download(device, b);
        if (status)
            return status;
    }
    return TREEFORK_OK;
}

/* The range of a known buffer changes. A stale device copy takes the new length, so that no byte is
   read that the array no longer has. A longer range keeps its memory if that has room: the rest is
   copied when it is needed; else everything comes through the host again. */
static int buffer_resize(struct treefork_device *device, struct treefork_buffer *b, size_t bytes)
{
    if (bytes == b->bytes || (bytes < b->bytes && b->device_valid))
        return TREEFORK_OK;
    if (bytes > b->capacity || b->is_shared) {
        int status = buffer_download(device, b);
        if (status)
            return status;
        buffer_stale(device, b);
    }
    if (bytes > b->capacity) {
        b->grows = b->grows || b->memory.address;
        buffer_memory_free(device, b);
    }
    b->bytes = bytes;
    return TREEFORK_OK;
}

static void buffers_forget(struct treefork_device *device)
{
    for (struct treefork_buffer **place = &device->buffers; *place;) {
        struct treefork_buffer *b = *place;
        if (b->host_valid && !b->device_valid && !b->is_scratch &&
            device->uses - b->used > USES_KEPT && (!b->is_shared || device->in_flight == 0))
            buffer_drop(device, place);
        else
            place = &b->next;
    }
}

/* From now on the buffer has memory of its own on the device. */
static int buffer_part(struct treefork_device *device, struct treefork_buffer *b)
{
    int status = buffer_download(device, b);
    if (status)
        return status;
    buffer_stale(device, b);
    b->is_shared = false;
    return TREEFORK_OK;
}

static int buffer_known(struct treefork_device *device, struct treefork_buffer *b, size_t bytes,
                        bool checked)
{
    int status = checked && b->is_shared ? buffer_part(device, b) : TREEFORK_OK;
    return status ? status : buffer_resize(device, b, bytes);
}

static bool is_shareable(const struct treefork_device *device, const char *host, bool checked)
{
    return device->shares && !checked && (uintptr_t)host % SHARED_ALIGNMENT == 0;
}

/* The buffer that begins at `host`, new or resized if need be. */
static int buffer_get(struct treefork_device *device, char *host, size_t bytes, bool checked,
                      struct treefork_buffer **result)
{
    struct treefork_buffer *b = device->buffers;
    while (b && b->host != host)
        b = b->next;
    *result = b;
    if (b)
        return buffer_known(device, b, bytes, checked);
    buffers_forget(device);
    b = calloc(1, sizeof *b);
    if (!b)
        return treefork_fail(TREEFORK_MEMORY, "no memory for a buffer");
    *b = (struct treefork_buffer){.next = device->buffers,
                                  .id = ++device->buffer_count,
                                  .host = host,
                                  .bytes = bytes,
                                  .is_shared = is_shareable(device, host, checked),
                                  .host_valid = true};
    *result = device->buffers = b;
    return TREEFORK_OK;
}

int treefork_buffer_ready(struct treefork_device *device, struct treefork_buffer *b,
                          unsigned access)
{
    int status = buffer_settle_others(device, b);
    if (status)
        return status;
    return access & TREEFORK_OVERWRITE ? buffer_memory(device, b) : buffer_upload(device, b);
}

/* What is read before it is written shall not look right by chance. */
static int buffer_poison(struct treefork_device *device, struct treefork_buffer *b, size_t bytes)
{
    void *pattern = malloc(bytes);
    if (!pattern)
        return treefork_fail(TREEFORK_MEMORY, "no memory to mark what is not copied");
    memset(pattern, POISON, bytes);
    int status = device->driver->memory_write(device, b->memory, 0, pattern, bytes);
    free(pattern);
    return status;
}

/* Its memory on the device, with the newest contents where they matter. */
static int buffer_fill(struct treefork_device *device, struct treefork_buffer *b, size_t bytes,
                       unsigned access, bool checked)
{
    bool is_void = access & TREEFORK_SCRATCH && b->used == 0;
    b->used = ++device->uses;
    b->is_scratch = access & TREEFORK_SCRATCH;
    b->owner = pthread_self();
    int status =
        treefork_buffer_ready(device, b, access | (is_void ? (unsigned)TREEFORK_OVERWRITE : 0));
    if (!status && is_void) {
        b->device_valid = true;
        b->filled = b->bytes;
    }
    if (!status && checked && (is_void || access & TREEFORK_OVERWRITE))
        status = buffer_poison(device, b, bytes);
    return status;
}

static int buffer_use(struct treefork_device *device, char *host, size_t bytes, unsigned access,
                      bool checked, uint64_t *handle)
{
    struct treefork_buffer *b;
    if (device->lost)
        return treefork_fail(TREEFORK_LOST, "%s must be closed and opened again", device->name);
    int status = buffer_get(device, host, bytes, checked, &b);
    if (!status)
        status = buffer_fill(device, b, bytes, access, checked);
    if (!status)
        *handle = b->id << ACCESS_BITS | (access & ~(unsigned)TREEFORK_SCRATCH);
    return status;
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
                             "%s needs %" PRIu64 " bytes for its arrays, and %s has %" PRIu64,
                             what, bytes, device->name, device->memory_all);
    return TREEFORK_OK;
}

int treefork_buffer_take(struct treefork_device *device, const void *host, size_t bytes,
                         unsigned access, bool checked, uint64_t *handle)
{
    *handle = 0;
    if (bytes == 0)
        return TREEFORK_OK;
    if (!host)
        return treefork_fail(TREEFORK_ARGUMENT, "an array of %zu bytes is NULL", bytes);
    if (bytes > PTRDIFF_MAX || bytes > UINTPTR_MAX - (uintptr_t)host)
        return treefork_fail(TREEFORK_MEMORY, "an array of %zu bytes exceeds the address space",
                             bytes);
    checked |= device->checked;
    int status = treefork_buffers_fit(device, "treefork_use", bytes, bytes);
    if (!status && checked)
        status = treefork_extent_check(device, host, bytes);
    if (!status)
        status = buffer_use(device, (char *)host, bytes, access, checked, handle);
    return status;
}

static int buffer_request(struct treefork_device *device, const void *host, size_t bytes,
                          unsigned access, bool checked, uint64_t *handle)
{
    const unsigned all = TREEFORK_READ | TREEFORK_WRITE | TREEFORK_OVERWRITE | TREEFORK_SCRATCH;
    *handle = 0;
    if (!device || !(access & (TREEFORK_READ | TREEFORK_WRITE)) || access & ~all ||
        (access & (TREEFORK_WRITE | TREEFORK_OVERWRITE)) == TREEFORK_OVERWRITE)
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

static bool buffer_holds(const struct treefork_buffer *b, const void *host)
{
    uintptr_t at = (uintptr_t)host, start = (uintptr_t)b->host;
    return at >= start && at - start < b->bytes;
}

/* Does host code that touches `host` touch the buffer? Its own range may tell, or that of another
   buffer, which says how far the array reaches. NULL stands for everything. */
static bool buffer_touched(const struct treefork_device *device, const struct treefork_buffer *b,
                           const void *host)
{
    if (!host)
        return true;
    for (const struct treefork_buffer *c = device->buffers; c; c = c->next)
        if (buffer_holds(c, host) && treefork_buffer_overlaps(b, c))
            return true;
    return false;
}

/* Which scratch arrays stay where they are when the host takes arrays back. */
enum keeping { KEEP_NONE, KEEP_OWN_SCRATCH, KEEP_SCRATCH };

static bool is_own_scratch(const struct treefork_buffer *b)
{
    return b->is_scratch && pthread_equal(b->owner, pthread_self());
}

static bool is_kept(const struct treefork_buffer *b, enum keeping keeping)
{
    return keeping == KEEP_SCRATCH ? b->is_scratch
                                   : keeping == KEEP_OWN_SCRATCH && is_own_scratch(b);
}

/* The host takes over shared buffers with one wait: those that the device wrote, and where the host
   may write also those that launches in flight read. */
static void buffers_settle(struct treefork_device *device, const void *host, unsigned access,
                           enum keeping keeping)
{
    bool waits = false;
    for (struct treefork_buffer *b = device->buffers; b; b = b->next) {
        if (!b->is_shared || is_kept(b, keeping) || !buffer_touched(device, b, host))
            continue;
        if (!b->host_valid && !device->lost)
            buffer_settle(device, b);
        waits |= b->is_settling || access & TREEFORK_WRITE;
    }
    if (waits)
        buffers_wait(device);
}

/* A shared buffer that could not settle is tried once more, and says then why it cannot. */
static int buffers_return(struct treefork_device *device, const void *host, unsigned access,
                          enum keeping keeping)
{
    int result = TREEFORK_OK;
    buffers_settle(device, host, access, keeping);
    for (struct treefork_buffer *b = device->buffers; b; b = b->next) {
        if (is_kept(b, keeping) || !buffer_touched(device, b, host))
            continue;
        int status = buffer_download(device, b);
        if (status)
            result = status;
        else if (access & TREEFORK_WRITE)
            buffer_stale(device, b);
    }
    return result;
}

static int host_return(struct treefork_device *device, const void *host, unsigned access,
                       enum keeping keeping)
{
    if (!device)
        return TREEFORK_OK;
    pthread_mutex_lock(&device->mutex);
    int status = buffers_return(device, host, access, keeping);
    pthread_mutex_unlock(&device->mutex);
    return status;
}

int treefork_host(struct treefork_device *device, const void *host, unsigned access)
{
    return host_return(device, host, access, KEEP_NONE);
}

int treefork_host_reads(struct treefork_device *device)
{
    return host_return(device, NULL, TREEFORK_READ, KEEP_SCRATCH);
}

/* Launches in flight may work in an array that is about to end. If one of them fails the device is
   lost, and whoever needs its results will see that. */
static void buffer_end(struct treefork_device *device, struct treefork_buffer **place)
{
    if ((*place)->is_shared)
        treefork_launches_wait(device);
    buffer_drop(device, place);
}

int treefork_host_returns(struct treefork_device *device)
{
    if (!device)
        return TREEFORK_OK;
    pthread_mutex_lock(&device->mutex);
    int status =
        buffers_return(device, NULL, TREEFORK_READ | TREEFORK_WRITE, KEEP_OWN_SCRATCH);
    for (struct treefork_buffer **place = &device->buffers; *place;)
        if (is_own_scratch(*place))
            buffer_end(device, place);
        else
            place = &(*place)->next;
    pthread_mutex_unlock(&device->mutex);
    return status;
}

/* A buffer that cannot be copied back stays, unless the device is lost for good. */
int treefork_release(struct treefork_device *device, const void *host)
{
    int result = TREEFORK_OK;
    if (!device)
        return TREEFORK_OK;
    pthread_mutex_lock(&device->mutex);
    buffers_settle(device, host, TREEFORK_READ | TREEFORK_WRITE, KEEP_NONE);
    for (struct treefork_buffer **place = &device->buffers; *place;) {
        bool mine = !host || buffer_holds(*place, host);
        int status = mine ? buffer_download(device, *place) : TREEFORK_OK;
        if (status)
            result = status;
        if (mine && !status && (*place)->is_scratch)
            buffer_memory_free(device, *place);
        if (mine && (!status || device->lost) && !(*place)->is_scratch)
            buffer_drop(device, place);
        else
            place = &(*place)->next;
    }
    pthread_mutex_unlock(&device->mutex);
    return result;
}

void treefork_discard(struct treefork_device *device, const void *host, size_t bytes)
{
    if (!device)
        return;
    pthread_mutex_lock(&device->mutex);
    for (struct treefork_buffer **place = &device->buffers; *place;) {
        uintptr_t at = (uintptr_t)(*place)->host, start = (uintptr_t)host;
        if (at >= start && at - start < bytes)
            buffer_end(device, place);
        else
            place = &(*place)->next;
    }
    pthread_mutex_unlock(&device->mutex);
}

int treefork_buffer_save(struct treefork_device *device, struct treefork_buffer *b)
{
    int status = buffer_download(device, b);
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
        buffer_stale(device, b);
    }
    free(b->saved);
    b->saved = NULL;
}

void treefork_buffer_free_all(struct treefork_device *device)
{
    while (device->buffers)
        buffer_drop(device, &device->buffers);
}
