/* Partial arrays: device memory between the launches of one run, with no side on the host.

   In: the place of the array among a region's, from the end, and its size in this run. Out: a
   handle for the launches' arguments, as of an array that they overwrite. The memory is kept from
   run to run and shared by all regions: launches follow each other, and nobody reads an element
   that an earlier run has written. It grows as arrays do (buffer.c), is thrown out if the device is
   short of memory, forgotten like buffers, and freed with the device. Invariant: its host side,
   which does not exist, counts as having everything, and the device never does: so nothing is ever
   copied. On a device with members that holds between runs; within one, members have what they
   wrote, which is copied to a member that reads it and stays until the run ends. */
#include "runtime/group.h"
#include <stdlib.h>

static struct treefork_buffer *partial_find(const struct treefork_device *device, size_t place)
{
    struct treefork_buffer *b = device->buffers;
    while (b && b->partial != place)
        b = b->next;
    return b;
}

static struct treefork_buffer *partial_new(struct treefork_device *device, size_t place)
{
    struct treefork_buffer *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    *b = (struct treefork_buffer){.next = device->buffers,
                                  .id = ++device->buffer_count,
                                  .partial = place};
    device->buffers = b;
    return b;
}

static void partial_resize(struct treefork_device *device, struct treefork_buffer *b, size_t bytes)
{
    if (b->memory.address && bytes > b->capacity) {
        b->grows = true;
        treefork_buffer_memory_free(device, b);
    }
    b->bytes = bytes;
    treefork_runs_set(&b->runs, SIDE_OF_HOST);
    b->runs.end = bytes;
}

static int partial_fill(struct treefork_device *device, struct treefork_buffer *b, bool checked)
{
    b->used = ++device->uses;
    int status = treefork_buffer_ready(device, b, TREEFORK_WRITE | TREEFORK_OVERWRITE);
    return status || !checked ? status : treefork_buffer_poison(device, b, b->bytes);
}

int treefork_partial_take(struct treefork_device *device, size_t place, size_t bytes, bool checked,
                          uint64_t *handle)
{
    *handle = 0;
    if (bytes == 0)
        return TREEFORK_OK;
    if (device->lost)
        return treefork_fail(TREEFORK_LOST, "%s must be closed and opened again", device->name);
    struct treefork_buffer *b = partial_find(device, place);
    b = b ? b : partial_new(device, place);
    if (!b)
        return treefork_fail(TREEFORK_MEMORY, "no memory for a buffer");
    partial_resize(device, b, bytes);
    int status = partial_fill(device, b, checked || device->checked);
    if (!status)
        *handle = treefork_buffer_handle(b, device->group ? TREEFORK_READ | TREEFORK_WRITE
                                                          : TREEFORK_WRITE | TREEFORK_OVERWRITE);
    return status;
}

void treefork_partials_end(struct treefork_device *device)
{
    for (struct treefork_buffer *b = device->buffers; b; b = b->next)
        if (b->partial)
            treefork_runs_set(&b->runs, SIDE_OF_HOST);
}
