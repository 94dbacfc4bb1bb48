/* Members of CUDA: copies from the memory of one device to that of another. In: devices that were
   just opened, each with its own context; out: contexts that reach each other's memory where the
   hardware lets them. The driver copies between any two contexts of a process, through the host
   where they do not reach each other; a driver without such copies, or that refuses one, leaves
   them to the library (exchange.c). Source: CUDA driver API reference, memory management and peer
   context memory access. */
#include "runtime/cuda.h"

enum { INVALID_VALUE = 1, MEMORY_TYPE_DEVICE = 2 };

/* A refusal is no failure: copies show it, or are staged by the driver. */
static void member_reach(const struct treefork_device *member, const struct treefork_device *peer)
{
    const struct cuda *cuda = member->state, *other = peer->state;
    int can = 0;
    if (cuda->context != other->context &&
        !cuda->api.peer_can(&can, cuda->device, other->device) && can)
        cuda->api.peer_enable(other->context, 0);
}

bool treefork_cuda_join(struct treefork_device *const *devices, size_t count)
{
    const struct cuda_api *api = &((const struct cuda *)devices[0]->state)->api;
    bool asks = api->peer_can && api->peer_enable;
    for (size_t i = 0; i < (asks ? count : 0); i++) {
        if (treefork_cuda_enter(devices[i]))
            return false;
        for (size_t k = 0; k < count; k++)
            member_reach(devices[i], devices[k]);
        treefork_cuda_leave(devices[i]);
    }
    return api->peer_copy != NULL;
}

static int lines_copy(const struct cuda *to, uint64_t target, const struct cuda *from,
                      uint64_t source, const struct treefork_row *row)
{
    struct cuda_peer_end begin = {.type = MEMORY_TYPE_DEVICE, .device = source + row->begin,
                                  .context = from->context, .pitch = row->pitch};
    struct cuda_peer_end end = {.type = MEMORY_TYPE_DEVICE, .device = target + row->begin,
                                .context = to->context, .pitch = row->pitch};
    struct cuda_peer_lines lines = {begin, end, row->bytes, row->pieces, 1};
    return to->api.peer_lines ? to->api.peer_lines(&lines, to->queue) : INVALID_VALUE;
}

/* Into the target's stream. */
static int row_copy(const struct cuda *to, uint64_t target, const struct cuda *from,
                    uint64_t source, const struct treefork_row *row)
{
    int code = row->pieces > 1 ? lines_copy(to, target, from, source, row) : INVALID_VALUE;
    bool is_done = code != INVALID_VALUE;
    for (size_t i = 0; i < (is_done ? 0 : row->pieces) && (i == 0 || !code); i++) {
        uint64_t at = row->begin + i * row->pitch;
        code = to->api.peer_copy(target + at, to->context, source + at, from->context, row->bytes,
                                 to->queue);
    }
    return code;
}

/* Streams of two contexts know nothing of each other's order. */
int treefork_cuda_memory_copy(struct treefork_device *to, union treefork_object target,
                              struct treefork_device *from, union treefork_object source,
                              const struct treefork_row *row)
{
    const struct cuda *cuda = to->state;
    int status = from->driver->wait(from, "a kernel that was launched before");
    if (!status)
        status = treefork_cuda_enter(to);
    if (status)
        return status;
    int code = row_copy(cuda, target.address, from->state, source.address, row);
    if (!code)
        code = cuda->api.stream_synchronize(cuda->queue);
    treefork_cuda_leave(to);
    return code ? treefork_driver_error(to, TREEFORK_CUDA, code,
                                        "copying an array from another device")
                : TREEFORK_OK;
}
