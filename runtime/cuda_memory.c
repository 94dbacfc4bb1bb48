/* Device memory of CUDA: the library's own arrays and what the program has attached, and copies
   between them and the host. In: memory, a row of its bytes, the host's address; out: the copy is
   done. A row of several pieces is one two-dimensional copy, or a copy for each piece where the
   driver has none or refuses it. Source: CUDA driver API reference, memory management. */
#include "runtime/cuda.h"
#include <stdlib.h>

enum {
    INVALID_VALUE = 1,
    POINTER_MEMORY_TYPE = 2,
    POINTER_IS_MANAGED = 8,
    POINTER_DEVICE_ORDINAL = 9,
    MEMORY_TYPE_HOST = 1,
    MEMORY_TYPE_DEVICE = 2
};

int treefork_cuda_memory_new(struct treefork_device *device, size_t bytes,
                             union treefork_object *memory)
{
    struct cuda *cuda = device->state;
    int status = treefork_cuda_enter(device);
    if (status)
        return status;
    int code = cuda->api.memory_new(&memory->address, bytes);
    treefork_cuda_leave(device);
    return code ? treefork_driver_error(device, TREEFORK_CUDA, code, "allocating an array")
                : TREEFORK_OK;
}

void treefork_cuda_memory_free(struct treefork_device *device, union treefork_object memory)
{
    struct cuda *cuda = device->state;
    if (treefork_cuda_enter(device))
        return;
    cuda->api.memory_free(memory.address);
    treefork_cuda_leave(device);
}

/* Lines between the host and the memory at an address, `pitch` bytes apart on the host. */
struct lines {
    uint64_t address;
    const struct treefork_row *row;
    const char *from;           /* on the host; NULL: it is the target */
    char *to;
    size_t pitch;
};

static struct cuda_lines lines_describe(const struct lines *l)
{
    struct cuda_end host = {.type = MEMORY_TYPE_HOST, .host = l->from ? l->from : l->to,
                            .pitch = l->pitch};
    struct cuda_end device = {.type = MEMORY_TYPE_DEVICE, .device = l->address,
                              .pitch = l->row->pitch};
    return (struct cuda_lines){.from = l->from ? host : device,
                               .to = l->from ? device : host,
                               .width = l->row->bytes,
                               .height = l->row->pieces};
}

/* One of the lines, in the stream. */
static int line_queue(const struct cuda *cuda, const struct lines *l, size_t i)
{
    uint64_t at = l->address + i * l->row->pitch;
    size_t line = i * l->pitch;
    return l->from ? cuda->api.memory_write_queued(at, l->from + line, l->row->bytes, cuda->queue)
                   : cuda->api.memory_read_queued(l->to + line, at, l->row->bytes, cuda->queue);
}

/* A driver refuses lines that lie further apart than it can count. */
static int lines_queue(const struct cuda *cuda, const struct lines *l)
{
    struct cuda_lines lines = lines_describe(l);
    int code = l->row->pieces > 1 && cuda->api.memory_lines
                   ? cuda->api.memory_lines(&lines, cuda->queue)
                   : INVALID_VALUE;
    bool is_done = code != INVALID_VALUE;
    for (size_t i = 0; i < (is_done ? 0 : l->row->pieces) && (i == 0 || !code); i++)
        code = line_queue(cuda, l, i);
    return code;
}

/* The copy is done when the call returns. Without a stream it is in order with the legacy stream
   alone. */
static int lines_copy(const struct cuda *cuda, const struct lines *l)
{
    if (!cuda->queue && l->row->pieces == 1)
        return l->from ? cuda->api.memory_write(l->address, l->from, l->row->bytes)
                       : cuda->api.memory_read(l->to, l->address, l->row->bytes);
    int code = lines_queue(cuda, l);
    return code ? code : cuda->api.stream_synchronize(cuda->queue);
}

static int lines_move(struct treefork_device *device, const struct lines *lines)
{
    int status = treefork_cuda_enter(device);
    if (status)
        return status;
    int code = lines_copy(device->state, lines);
    treefork_cuda_leave(device);
    return code ? treefork_driver_error(device, TREEFORK_CUDA, code,
                                        lines->from ? "copying an array to the device"
                                                    : "copying an array from the device")
                : TREEFORK_OK;
}

int treefork_cuda_memory_write(struct treefork_device *device, union treefork_object memory,
                               const struct treefork_row *row, const void *host, size_t pitch)
{
    struct lines lines = {memory.address + row->begin, row, host, NULL, pitch};
    return lines_move(device, &lines);
}

int treefork_cuda_memory_read(struct treefork_device *device, union treefork_object memory,
                              const struct treefork_row *row, void *host, size_t pitch)
{
    struct lines lines = {memory.address + row->begin, row, NULL, host, pitch};
    return lines_move(device, &lines);
}

/* Addresses of CUDA are those of one space, the host's too. */
int treefork_cuda_memory_describe(struct treefork_device *device, union treefork_object memory,
                                  size_t bytes, struct treefork_foreign *foreign)
{
    struct cuda *cuda = device->state;
    int type = 0, ordinal = -1;
    unsigned is_managed = 0;
    int status = treefork_cuda_enter(device);
    (void)bytes;
    if (status)
        return status;
    int code = cuda->api.pointer_attribute(&type, POINTER_MEMORY_TYPE, memory.address);
    bool is_told = !code && !cuda->api.pointer_attribute(&ordinal, POINTER_DEVICE_ORDINAL,
                                                         memory.address);
    if (!code && cuda->api.pointer_attribute(&is_managed, POINTER_IS_MANAGED, memory.address))
        is_managed = 0;
    treefork_cuda_leave(device);
    if (code)
        return treefork_driver_error(device, TREEFORK_CUDA, code, "looking at device memory");
    if (is_told && type == MEMORY_TYPE_DEVICE && !is_managed && ordinal != cuda->device)
        return treefork_fail(TREEFORK_ARGUMENT, "the memory at %p is that of device %d, not of %s",
                             memory.pointer, ordinal, device->name);
    *foreign = (struct treefork_foreign){.offset = memory.address,
                                         .address = memory.pointer,
                                         .host_reaches = is_managed || type == MEMORY_TYPE_HOST};
    return TREEFORK_OK;
}

int treefork_cuda_memory_part(struct treefork_device *device, union treefork_object memory,
                              size_t offset, size_t bytes, union treefork_object *part)
{
    (void)device;
    (void)bytes;
    part->address = memory.address + offset;
    return TREEFORK_OK;
}

/* The program frees its memory itself. */
int treefork_cuda_memory_keep(struct treefork_device *device, union treefork_object memory)
{
    (void)device;
    (void)memory;
    return TREEFORK_OK;
}

void treefork_cuda_memory_leave(struct treefork_device *device, union treefork_object memory)
{
    (void)device;
    (void)memory;
}

bool treefork_cuda_memory_left(struct treefork_device *device, uint64_t *bytes)
{
    struct cuda *cuda = device->state;
    size_t left = 0, all = 0;
    if (!cuda->api.memory_left || treefork_cuda_enter(device))
        return false;
    int code = cuda->api.memory_left(&left, &all);
    treefork_cuda_leave(device);
    *bytes = left;
    return code == 0;
}
