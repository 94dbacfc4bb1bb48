/* Arrays that are attached: their home is the device. In: memory of the program's own (or of the
   library's) and a range of the host's, which may be addresses alone; out: a buffer with the two
   sides of any other (buffer.c), whose memory comes and goes with treefork_attach and
   treefork_detach, and pieces of it, by which launches know it.

   Invariants: no two attached arrays overlap, on the host or on the device. Pieces stand before
   their array in the device's list. A reserved range that has the newest contents has memory. Where
   the host's address is that of the memory (managed memory, or a device pointer that names itself)
   the device always has the contents, and the host after waiting. */
#include "runtime/stays.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS 0x20
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

struct treefork_buffer *treefork_attached_search(const struct treefork_device *device,
                                                 const void *host)
{
    struct treefork_buffer *b = device->buffers;
    while (b && !(b->is_attached && treefork_buffer_holds(b, host)))
        b = b->next;
    return b;
}

/* --- pieces ---------------------------------------------------------------------------------- */

static struct treefork_buffer *piece_find(struct treefork_device *device, const char *host)
{
    struct treefork_buffer *b = device->buffers;
    while (b && !(b->whole && b->host == host))
        b = b->next;
    return b;
}

/* The memory of a piece reaches to the end of the array, so that it may grow. */
static int piece_new(struct treefork_device *device, struct treefork_buffer *whole, char *host,
                     struct treefork_buffer **result)
{
    size_t offset = (size_t)(host - whole->host);
    struct treefork_buffer *piece = calloc(1, sizeof *piece);
    if (!piece)
        return treefork_fail(TREEFORK_MEMORY, "no memory for a buffer");
    *piece = (struct treefork_buffer){.next = device->buffers,
                                      .id = ++device->buffer_count,
                                      .host = host,
                                      .whole = whole};
    int status = device->driver->memory_part(device, whole->memory, offset, whole->bytes - offset,
                                             &piece->memory);
    if (status) {
        free(piece);
        return status;
    }
    *result = device->buffers = piece;
    return TREEFORK_OK;
}

int treefork_attached_piece(struct treefork_device *device, struct treefork_buffer *whole,
                            char *host, size_t bytes, struct treefork_buffer **result)
{
    size_t offset = (size_t)(host - whole->host);
    if (bytes > whole->bytes - offset)
        return treefork_fail(TREEFORK_BOUNDS,
                             "the array at %p is attached with %zu bytes from there on, and %zu "
                             "are needed",
                             (void *)host, whole->bytes - offset, bytes);
    struct treefork_buffer *piece = piece_find(device, host);
    int status = piece ? TREEFORK_OK : piece_new(device, whole, host, &piece);
    if (status)
        return status;
    piece->bytes = bytes;
    piece->runs = treefork_runs_of(SIDE_OF_HOST, bytes);
    *result = piece;
    return TREEFORK_OK;
}

/* --- an attached array ----------------------------------------------------------------------- */

static size_t pages_of(size_t bytes)
{
    long size = sysconf(_SC_PAGESIZE);
    size_t page = size > 0 ? (size_t)size : 4096;
    return (bytes + page - 1) / page * page;
}

/* Addresses that nobody else has; host code that touches them faults until they are opened. */
static int range_reserve(size_t bytes, char **host)
{
    void *at = mmap(NULL, pages_of(bytes), PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *host = at == MAP_FAILED ? NULL : at;
    return *host ? TREEFORK_OK
                 : treefork_fail(TREEFORK_MEMORY, "no addresses for an array of %zu bytes", bytes);
}

int treefork_attached_open(struct treefork_buffer *b)
{
    return mprotect(b->host, pages_of(b->bytes), PROT_READ | PROT_WRITE) == 0
               ? TREEFORK_OK
               : treefork_fail(TREEFORK_MEMORY, "the host has no memory for an array of %zu bytes",
                               b->bytes);
}

/* The array and its pieces leave the device's list. */
static void attached_end(struct treefork_device *device, struct treefork_buffer *whole)
{
    char *host = whole->host;
    size_t reserved = whole->is_reserved ? pages_of(whole->bytes) : 0;
    for (struct treefork_buffer **place = &device->buffers; *place;)
        if (*place == whole || (*place)->whole == whole)
            treefork_buffer_drop(device, place);
        else
            place = &(*place)->next;
    device->n_attached--;
    if (reserved)
        munmap(host, reserved);
}

/* The first that begins in the range. */
static struct treefork_buffer *attached_in(const struct treefork_device *device, const void *host,
                                           size_t bytes)
{
    struct treefork_buffer *b = device->n_attached ? device->buffers : NULL;
    while (b && !(b->is_attached && (uintptr_t)b->host - (uintptr_t)host < bytes))
        b = b->next;
    return b;
}

void treefork_attached_discard(struct treefork_device *device, const void *host, size_t bytes)
{
    struct treefork_buffer *b;
    while ((b = attached_in(device, host, bytes)))
        attached_end(device, b);
}

/* Contents that plain copies have come to the host, since the range will have another home. */
static int copies_end(struct treefork_device *device, const struct treefork_buffer *fresh)
{
    for (struct treefork_buffer **place = &device->buffers; *place;) {
        if ((*place)->whole || !treefork_buffer_overlaps(*place, fresh)) {
            place = &(*place)->next;
            continue;
        }
        int status = treefork_buffer_download(device, *place);
        if (status)
            return status;
        treefork_buffer_drop(device, place);
    }
    return TREEFORK_OK;
}

static bool places_overlap(const struct treefork_buffer *a, const struct treefork_buffer *b)
{
    const struct treefork_foreign *x = &a->place, *y = &b->place;
    return x->base == y->base && (x->offset <= y->offset ? y->offset - x->offset < a->bytes
                                                         : x->offset - y->offset < b->bytes);
}

static int attached_check(struct treefork_device *device, const struct treefork_buffer *fresh)
{
    for (const struct treefork_buffer *b = device->buffers; b; b = b->next) {
        if (!b->is_attached)
            continue;
        if (treefork_buffer_overlaps(b, fresh) || places_overlap(b, fresh))
            return treefork_fail(TREEFORK_ARGUMENT,
                                 "%s of the array at %p is attached already, to the array at %p",
                                 places_overlap(b, fresh) ? "the memory" : "the range",
                                 (void *)fresh->host, (void *)b->host);
    }
    return TREEFORK_OK;
}

/* Memory, given or new, and what the driver knows of it. */
static int attached_memory(struct treefork_device *device, struct treefork_buffer *fresh,
                           void *memory)
{
    const struct treefork_driver *driver = device->driver;
    int status = TREEFORK_OK;
    fresh->memory.pointer = memory;
    if (!memory)
        status = treefork_buffers_fit(device, "treefork_attach", fresh->bytes, fresh->bytes);
    if (!status && !memory)
        status = driver->memory_new(device, fresh->bytes, &fresh->memory);
    if (!status)
        status = driver->memory_describe(device, fresh->memory, fresh->bytes, &fresh->place);
    if (status && !memory && fresh->memory.address)
        driver->memory_free(device, fresh->memory);
    return status || !memory ? status : driver->memory_keep(device, fresh->memory);
}

/* Is the range usable? Where it is the memory's own address only that of a driver will do. */
static int attached_range(struct treefork_buffer *fresh, const void *memory)
{
    fresh->is_reserved = !fresh->host;
    if (fresh->is_reserved)
        return range_reserve(fresh->bytes, &fresh->host);
    if (memory && fresh->host == memory && fresh->place.address != memory)
        return treefork_fail(TREEFORK_ARGUMENT,
                             "a cl_mem is no address that an array can have: give NULL for one");
    return TREEFORK_OK;
}

/* The sides as the contents are: those of the program's memory, else those of its array. */
static void attached_begin(struct treefork_device *device, struct treefork_buffer *fresh)
{
    bool is_one = fresh->place.address == fresh->host;
    fresh->id = ++device->buffer_count;
    fresh->capacity = fresh->bytes;
    bool is_there = is_one || fresh->is_foreign || fresh->is_reserved;
    fresh->runs = treefork_runs_of(is_there ? SIDE_OF_MEMBER : SIDE_OF_HOST, fresh->bytes);
    struct treefork_buffer **end = &device->buffers;
    while (*end)
        end = &(*end)->next;
    *end = fresh;
    device->n_attached++;
    treefork_device_leaves(device);
}

/* *array becomes the range that the array has. */
static int attached_new(struct treefork_device *device, void **array, size_t bytes, void *memory)
{
    struct treefork_buffer *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return treefork_fail(TREEFORK_MEMORY, "no memory for a buffer");
    *fresh = (struct treefork_buffer){
        .host = *array, .bytes = bytes, .is_attached = true, .is_foreign = memory != NULL};
    int status = attached_memory(device, fresh, memory);
    if (!status) {
        status = attached_range(fresh, memory);
        if (!status)
            status = attached_check(device, fresh);
        if (!status)
            status = copies_end(device, fresh);
        if (status && memory)
            device->driver->memory_leave(device, fresh->memory);
        else if (status)
            device->driver->memory_free(device, fresh->memory);
    }
    if (status && fresh->is_reserved && fresh->host)
        munmap(fresh->host, pages_of(bytes));
    if (status) {
        free(fresh);
        return status;
    }
    *array = fresh->host;
    attached_begin(device, fresh);
    return TREEFORK_OK;
}

int treefork_attach(struct treefork_device *device, void **array, size_t bytes, void *memory)
{
    if (!device || !array || bytes == 0 || bytes > PTRDIFF_MAX ||
        bytes > UINTPTR_MAX - (uintptr_t)*array)
        return treefork_fail(TREEFORK_ARGUMENT, "treefork_attach: wrong argument");
    pthread_mutex_lock(&device->mutex);
    int status = device->lost ? treefork_fail(TREEFORK_LOST, "%s must be closed and opened again",
                                              device->name)
                              : attached_new(device, array, bytes, memory);
    pthread_mutex_unlock(&device->mutex);
    return status;
}

int treefork_attached_home(struct treefork_device *device)
{
    int result = TREEFORK_OK;
    struct treefork_buffer *b = device->n_attached ? device->buffers : NULL;
    for (; b; b = b->next) {
        int status = b->is_attached ? treefork_buffer_ready(device, b, TREEFORK_READ)
                                    : TREEFORK_OK;
        if (status)
            result = status;
    }
    return result;
}

/* Memory of the library's ends with its contents, unless the host has a range for them. */
static int attached_leave(struct treefork_device *device, struct treefork_buffer *b)
{
    if (b->is_foreign)
        return treefork_buffer_ready(device, b, TREEFORK_READ);
    return b->is_reserved ? TREEFORK_OK : treefork_buffer_download(device, b);
}

int treefork_detach(struct treefork_device *device, const void *array)
{
    if (!device)
        return treefork_fail(TREEFORK_ARGUMENT, "treefork_detach: no device");
    pthread_mutex_lock(&device->mutex);
    struct treefork_buffer *b = attached_in(device, array, 1);
    int status = b ? attached_leave(device, b)
                   : treefork_fail(TREEFORK_ARGUMENT, "no array is attached at %p", array);
    if (b && (!status || device->lost))
        attached_end(device, b);
    pthread_mutex_unlock(&device->mutex);
    return status;
}

int treefork_attached_serves(struct treefork_device *device, const void *host)
{
    pthread_mutex_lock(&device->mutex);
    const struct treefork_buffer *b = treefork_attached_find(device, host);
    bool serves = !b || b->place.address != b->host || b->place.host_reaches;
    pthread_mutex_unlock(&device->mutex);
    return serves ? TREEFORK_OK
                  : treefork_fail(TREEFORK_ARGUMENT,
                                  "the array at %p is memory of %s alone, which no serial code "
                                  "can touch",
                                  host, device->name);
}
