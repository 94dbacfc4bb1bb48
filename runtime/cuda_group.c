/* Members of CUDA: copies from the memory of one device to that of another. In: devices that were
   just opened, each with its own context; out: contexts that reach each other's memory where the
   hardware lets them. The driver copies between any two contexts of a process, through the host
   where they do not reach each other; a driver without such copies, or that refuses one, leaves
   them to the library (exchange.c). Source: CUDA driver API reference, memory management and peer
   context memory access. */
#include "runtime/cuda.h"

enum { INVALID_VALUE = 1, MEMORY_TYPE_DEVICE = 2, STREAM_NON_BLOCKING = 1, EVENT_NO_TIMING = 2 };

/* A refusal is no failure: copies show it, or are staged by the driver. */
static void member_reach(const struct treefork_device *member, const struct treefork_device *peer)
{
    const struct cuda *cuda = member->state, *other = peer->state;
    int can = 0;
    if (cuda->context != other->context &&
        !cuda->api.peer_can(&can, cuda->device, other->device) && can)
        cuda->api.peer_enable(other->context, 0);
}

/* A stream of copies, which runs beside the legacy stream. */
static bool member_join(struct treefork_device *const *devices, size_t count, size_t number)
{
    struct cuda *cuda = devices[number]->state;
    bool asks = cuda->api.peer_can && cuda->api.peer_enable;
    if (treefork_cuda_enter(devices[number]))
        return false;
    for (size_t i = 0; i < (asks ? count : 0); i++)
        member_reach(devices[number], devices[i]);
    bool is_made = !cuda->api.stream_new(&cuda->copies, STREAM_NON_BLOCKING);
    if (!is_made)
        cuda->copies = NULL;
    treefork_cuda_leave(devices[number]);
    return is_made;
}

bool treefork_cuda_join(struct treefork_device *const *devices, size_t count)
{
    const struct cuda_api *api = &((const struct cuda *)devices[0]->state)->api;
    bool reaches = api->peer_copy && api->stream_new && api->stream_free && api->stream_wait &&
                   api->event_new && api->event_record && api->event_free;
    for (size_t i = 0; i < count && reaches; i++)
        reaches = member_join(devices, count, i);
    return reaches;
}

/* In the context that is current. */
static int event_record(const struct cuda *cuda, void *stream, union treefork_object *event)
{
    int code = cuda->api.event_new(&event->pointer, EVENT_NO_TIMING);
    if (code) {
        event->pointer = NULL;
        return code;
    }
    code = cuda->api.event_record(event->pointer, stream);
    if (code) {
        cuda->api.event_free(event->pointer);
        event->pointer = NULL;
    }
    return code;
}

int treefork_cuda_event_new(struct treefork_device *device, union treefork_object *event)
{
    const struct cuda *cuda = device->state;
    int status = treefork_cuda_enter(device);
    if (status)
        return status;
    int code = event_record(cuda, cuda->queue, event);
    treefork_cuda_leave(device);
    return code ? treefork_driver_error(device, TREEFORK_CUDA, code, "marking a stream")
                : TREEFORK_OK;
}

void treefork_cuda_event_free(struct treefork_device *device, union treefork_object event)
{
    const struct cuda *cuda = device->state;
    if (treefork_cuda_enter(device))
        return;
    cuda->api.event_free(event.pointer);
    treefork_cuda_leave(device);
}

int treefork_cuda_event_await(struct treefork_device *device, enum treefork_queue queue,
                              union treefork_object event)
{
    const struct cuda *cuda = device->state;
    int status = treefork_cuda_enter(device);
    if (status)
        return status;
    int code = cuda->api.stream_wait(queue == TREEFORK_COPIES ? cuda->copies : cuda->queue,
                                     event.pointer, 0);
    treefork_cuda_leave(device);
    return code ? treefork_driver_error(device, TREEFORK_CUDA, code, "putting streams in order")
                : TREEFORK_OK;
}

static int lines_copy(const struct cuda *to, uint64_t target, const struct cuda *from,
                      uint64_t source, const struct treefork_row *row)
{
    struct cuda_peer_end begin = {.type = MEMORY_TYPE_DEVICE, .device = source + row->begin,
                                  .context = from->context, .pitch = row->pitch};
    struct cuda_peer_end end = {.type = MEMORY_TYPE_DEVICE, .device = target + row->begin,
                                .context = to->context, .pitch = row->pitch};
    struct cuda_peer_lines lines = {begin, end, row->bytes, row->pieces, 1};
    return to->api.peer_lines ? to->api.peer_lines(&lines, to->copies) : INVALID_VALUE;
}

/* Into the target's stream of copies; the row counts from both addresses. */
static int row_copy(const struct cuda *to, uint64_t target, const struct cuda *from,
                    uint64_t source, const struct treefork_row *row)
{
    int code = row->pieces > 1 ? lines_copy(to, target, from, source, row) : INVALID_VALUE;
    bool is_done = code != INVALID_VALUE;
    for (size_t i = 0; i < (is_done ? 0 : row->pieces) && (i == 0 || !code); i++) {
        uint64_t at = row->begin + i * row->pitch;
        code = to->api.peer_copy(target + at, to->context, source + at, from->context, row->bytes,
                                 to->copies);
    }
    return code;
}

int treefork_cuda_memory_copy(struct treefork_device *to, union treefork_object target, size_t at,
                              struct treefork_device *from, union treefork_object source,
                              const struct treefork_row *row, union treefork_object *done)
{
    const struct cuda *cuda = to->state;
    int status = treefork_cuda_enter(to);
    if (status)
        return status;
    int code = row_copy(cuda, target.address + at - row->begin, from->state, source.address, row);
    if (!code)
        code = event_record(cuda, cuda->copies, done);
    treefork_cuda_leave(to);
    return code ? treefork_driver_error(to, TREEFORK_CUDA, code,
                                        "copying an array from another device")
                : TREEFORK_OK;
}
