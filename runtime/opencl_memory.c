/* Device memory of OpenCL: buffers of the library's own, over ranges of the host, and of the
   program's (treefork_attach). Copies block, and go into the device's queue. Source: the OpenCL 1.2
   specification, section 5.2. */
#include "runtime/opencl.h"
#include <string.h>

enum {
    MEMORY_SIZE = 0x1102,
    MEMORY_CONTEXT = 0x1106,
    MEMORY_ASSOCIATED = 0x1107,
    MEMORY_OFFSET = 0x1108
};

/* Over the range at `host`, unless it is NULL. */
static int memory_create(struct treefork_device *device, void *host, size_t bytes,
                         union treefork_object *memory)
{
    enum { READ_WRITE = 1, USE_HOST_POINTER = 8 };
    struct opencl *cl = device->state;
    int32_t code = 0;
    void *object = cl->api.clCreateBuffer(
        cl->context, host ? READ_WRITE | USE_HOST_POINTER : READ_WRITE, bytes, host, &code);
    memory->pointer = object;
    return object && !code
               ? TREEFORK_OK
               : treefork_driver_error(device, TREEFORK_OPENCL, code, "allocating an array");
}

int treefork_opencl_memory_new(struct treefork_device *device, size_t bytes,
                               union treefork_object *memory)
{
    return memory_create(device, NULL, bytes, memory);
}

int treefork_opencl_memory_share(struct treefork_device *device, void *host, size_t bytes,
                                 union treefork_object *memory)
{
    return memory_create(device, host, bytes, memory);
}

/* Does the device work in the host's memory itself? Tried once, when it is opened: what is written
   to a buffer over a range stands in the range, and what the host then writes there is what reading
   the buffer gives. */
bool treefork_opencl_in_place(struct treefork_device *device)
{
    enum { BYTES = 4096 };
    struct opencl *cl = device->state;
    union treefork_object memory = { 0 };
    _Alignas(16) unsigned char host[BYTES], other[BYTES];
    memset(host, 1, BYTES);
    memset(other, 2, BYTES);
    if (memory_create(device, host, BYTES, &memory))
        return false;
    bool in_place = !cl->api.clEnqueueWriteBuffer(cl->queue, memory.pointer, 1, 0, BYTES, other,
                                                  0, NULL, NULL) &&
                    memcmp(host, other, BYTES) == 0;
    memset(host, 3, BYTES);
    in_place = in_place &&
               !cl->api.clEnqueueReadBuffer(cl->queue, memory.pointer, 1, 0, BYTES, other, 0, NULL,
                                            NULL) &&
               memcmp(host, other, BYTES) == 0;
    cl->api.clReleaseMemObject(memory.pointer);
    return in_place;
}

/* Once mapping is done the host's range "contains the latest bits"; they stay there. Where the
   device has no other place for them, waiting for the launch is enough: mapping and unmapping are
   two commands more, each of which wakes the device's threads (17 us a call on PoCL). */
int treefork_opencl_memory_settle(struct treefork_device *device, union treefork_object memory,
                                  size_t bytes)
{
    enum { MAP_READ = 1 };
    struct opencl *cl = device->state;
    int32_t code = 0;
    if (cl->in_place)
        return TREEFORK_OK;
    void *at = cl->api.clEnqueueMapBuffer(cl->queue, memory.pointer, 0, MAP_READ, 0, bytes, 0,
                                          NULL, NULL, &code);
    if (!code)
        code = cl->api.clEnqueueUnmapMemObject(cl->queue, memory.pointer, at, 0, NULL, NULL);
    return code ? treefork_driver_error(device, TREEFORK_OPENCL, code, "giving an array back")
                : TREEFORK_OK;
}

void treefork_opencl_memory_free(struct treefork_device *device, union treefork_object memory)
{
    struct opencl *cl = device->state;
    cl->api.clReleaseMemObject(memory.pointer);
    cl->released++;
}

/* A row as the library's rectangle: where it begins, in bytes and in lines of a pitch, and how
   large it is. */
struct rectangle {
    size_t origin[3], region[3];
};

static struct rectangle rectangle_of(const struct treefork_row *row)
{
    return (struct rectangle){{row->begin % row->pitch, row->begin / row->pitch, 0},
                              {row->bytes, row->pieces, 1}};
}

static const size_t nowhere[3];        /* the host's side begins at its address */

int treefork_opencl_memory_write(struct treefork_device *device, union treefork_object memory,
                                 const struct treefork_row *row, const void *host, size_t pitch)
{
    struct opencl *cl = device->state;
    struct rectangle r = rectangle_of(row);
    int32_t code = row->pieces == 1
                       ? cl->api.clEnqueueWriteBuffer(cl->queue, memory.pointer, 1, row->begin,
                                                      row->bytes, host, 0, NULL, NULL)
                       : cl->api.clEnqueueWriteBufferRect(cl->queue, memory.pointer, 1, r.origin,
                                                          nowhere, r.region, row->pitch, 0, pitch,
                                                          0, host, 0, NULL, NULL);
    return code ? treefork_driver_error(device, TREEFORK_OPENCL, code,
                                        "copying an array to the device")
                : TREEFORK_OK;
}

int treefork_opencl_memory_read(struct treefork_device *device, union treefork_object memory,
                                const struct treefork_row *row, void *host, size_t pitch)
{
    struct opencl *cl = device->state;
    struct rectangle r = rectangle_of(row);
    int32_t code = row->pieces == 1
                       ? cl->api.clEnqueueReadBuffer(cl->queue, memory.pointer, 1, row->begin,
                                                     row->bytes, host, 0, NULL, NULL)
                       : cl->api.clEnqueueReadBufferRect(cl->queue, memory.pointer, 1, r.origin,
                                                         nowhere, r.region, row->pitch, 0, pitch,
                                                         0, host, 0, NULL, NULL);
    return code ? treefork_driver_error(device, TREEFORK_OPENCL, code,
                                        "copying an array from the device")
                : TREEFORK_OK;
}

/* Another queue waits for an event only of a queue that was flushed. */
int treefork_opencl_memory_copy(struct treefork_device *to, union treefork_object target, size_t at,
                                struct treefork_device *from, union treefork_object source,
                                const struct treefork_row *row, union treefork_object *done)
{
    struct opencl *cl = to->state;
    const struct treefork_row there = {at, row->bytes, row->pitch, row->pieces};
    struct rectangle r = rectangle_of(row), goal = rectangle_of(&there);
    (void)from;
    int32_t code = row->pieces == 1
                       ? cl->api.clEnqueueCopyBuffer(cl->copies, source.pointer, target.pointer,
                                                     row->begin, at, row->bytes, 0, NULL,
                                                     &done->pointer)
                       : cl->api.clEnqueueCopyBufferRect(cl->copies, source.pointer, target.pointer,
                                                         r.origin, goal.origin, r.region,
                                                         row->pitch, 0, row->pitch, 0, 0, NULL,
                                                         &done->pointer);
    if (!code)
        cl->api.clFlush(cl->copies);        /* if it fails, so does waiting */
    return code ? treefork_driver_error(to, TREEFORK_OPENCL, code,
                                        "copying an array from another device")
                : TREEFORK_OK;
}

/* A buffer, and where it begins in the one that it is part of. */
struct root {
    void *memory;
    size_t offset;
};

static int32_t root_find(const struct opencl *cl, void *memory, struct root *root)
{
    *root = (struct root){0};
    int32_t code = cl->api.clGetMemObjectInfo(memory, MEMORY_ASSOCIATED, sizeof root->memory,
                                              &root->memory, NULL);
    if (!code && root->memory)
        code = cl->api.clGetMemObjectInfo(memory, MEMORY_OFFSET, sizeof root->offset,
                                          &root->offset, NULL);
    if (!root->memory)
        root->memory = memory;
    return code;
}

int treefork_opencl_memory_describe(struct treefork_device *device, union treefork_object memory,
                                    size_t bytes, struct treefork_foreign *foreign)
{
    struct opencl *cl = device->state;
    struct root root;
    void *context = NULL;
    size_t size = 0;
    int32_t code = cl->api.clGetMemObjectInfo(memory.pointer, MEMORY_CONTEXT, sizeof context,
                                              &context, NULL);
    if (!code)
        code = cl->api.clGetMemObjectInfo(memory.pointer, MEMORY_SIZE, sizeof size, &size, NULL);
    if (!code)
        code = root_find(cl, memory.pointer, &root);
    if (code)
        return treefork_driver_error(device, TREEFORK_OPENCL, code, "looking at a cl_mem");
    if (context != cl->context)
        return treefork_fail(TREEFORK_ARGUMENT,
                             "the cl_mem is of another context than %s (treefork_open_queue opens "
                             "a device in that of a queue)",
                             device->name);
    if (size < bytes)
        return treefork_fail(TREEFORK_BOUNDS, "the cl_mem has %zu bytes, and %zu are needed", size,
                             bytes);
    *foreign = (struct treefork_foreign){.base = (uint64_t)(uintptr_t)root.memory,
                                         .offset = root.offset};
    return TREEFORK_OK;
}

int treefork_opencl_memory_keep(struct treefork_device *device, union treefork_object memory)
{
    struct opencl *cl = device->state;
    int32_t code = cl->api.clRetainMemObject(memory.pointer);
    return code ? treefork_driver_error(device, TREEFORK_OPENCL, code, "keeping a cl_mem")
                : TREEFORK_OK;
}

/* Where it begins at the start it is the memory itself; a part of a part is one of the root. */
int treefork_opencl_memory_part(struct treefork_device *device, union treefork_object memory,
                                size_t offset, size_t bytes, union treefork_object *part)
{
    enum { TYPE_REGION = 0x1220, MISALIGNED = -13 };
    struct opencl *cl = device->state;
    struct root root;
    int32_t code = 0;
    *part = memory;
    if (offset == 0)
        return treefork_opencl_memory_keep(device, memory);
    code = root_find(cl, memory.pointer, &root);
    size_t region[2] = {root.offset + offset, bytes};
    if (!code)
        part->pointer = cl->api.clCreateSubBuffer(root.memory, 0, TYPE_REGION, region, &code);
    if (code == MISALIGNED)
        return treefork_fail(TREEFORK_ARGUMENT,
                             "a piece of an attached array begins %zu bytes into its memory, where "
                             "%s allows none to begin",
                             region[0], device->name);
    return code ? treefork_driver_error(device, TREEFORK_OPENCL, code, "making a piece of an array")
                : TREEFORK_OK;
}
