/* Memory of the simulated devices, and copies. In: allocations of the device whose context is
   current; out: bytes of this process, which a launch or a copy of another device refuses. Before
   each allocation lie addresses that are nobody's: a part of a launch is given the address at which
   an array would begin of which the allocation is a window. Copies
   go into a stream, and run when streams.c says so; those between devices are direct where peer
   access is enabled, else they are counted as staged. */
#define _DEFAULT_SOURCE        /* MAP_ANONYMOUS */
#include "tests/simulated/simulated.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, BEFORE = 64 << 20, HOST = 1, DEVICE = 2 };

static bool memory_has(const struct sim_memory *memory, uint64_t at, size_t bytes)
{
    uint64_t start = (uint64_t)(uintptr_t)memory->data;
    return at >= start && at - start <= memory->bytes && bytes <= memory->bytes - (at - start);
}

static struct sim_memory *memory_find(const struct sim_device *device, uint64_t at, size_t bytes)
{
    struct sim_memory *memory = device->memory;
    while (memory && !memory_has(memory, at, bytes))
        memory = memory->next;
    return memory;
}

struct sim_memory *sim_memory_of(const struct sim_device *device, uint64_t at, size_t bytes)
{
    const struct sim *sim = simulated();
    struct sim_memory *memory = memory_find(device, at, bytes);
    for (int i = 0; i < sim->n_devices && !memory; i++)
        if (memory_find(&sim->devices[i], at, 1))
            sim_fail(CU_OK, "an address of device %d, or a range too long, is used on device %d", i,
                     sim_number(device));
    return memory;
}

struct sim_memory *sim_window_of(const struct sim_device *device, uint64_t at)
{
    struct sim_memory *memory = memory_find(device, at, 1);
    for (struct sim_memory *m = device->memory; m && !memory; m = m->next)
        if (at < (uint64_t)(uintptr_t)m->data && (uint64_t)(uintptr_t)m->data - at <= BEFORE)
            memory = m;
    return memory ? memory : sim_memory_of(device, at, 1);
}

static size_t pages_of(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* Bytes behind addresses that nobody may touch; NULL without room. */
static char *data_new(size_t bytes)
{
    char *base = mmap(NULL, BEFORE + pages_of(bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                      0);
    if (base == MAP_FAILED)
        return NULL;
    if (!mprotect(base + BEFORE, pages_of(bytes), PROT_READ | PROT_WRITE))
        return base + BEFORE;
    munmap(base, BEFORE + pages_of(bytes));
    return NULL;
}

static void memory_end(struct sim_device *device, struct sim_memory *memory)
{
    device->memory_used -= memory->bytes;
    sim_accesses_free(memory);
    munmap(memory->data - BEFORE, BEFORE + pages_of(memory->bytes));
    free(memory);
}

int sim_memory_free(struct sim_device *device)
{
    int arrays = 0;
    for (; device->memory; arrays++) {
        struct sim_memory *memory = device->memory;
        device->memory = memory->next;
        memory_end(device, memory);
    }
    return arrays;
}

int cuMemAlloc_v2(uint64_t *at, size_t bytes)
{
    const struct sim *sim = simulated();
    int code = sim_enter("cuMemAlloc_v2", true);
    struct sim_device *device = sim_device();
    if (code)
        return code;
    if (bytes == 0)
        return sim_fail(CU_INVALID_VALUE, "an allocation of no bytes");
    struct sim_memory *memory =
        bytes > sim->memory_limit - device->memory_used ? NULL : calloc(1, sizeof *memory);
    char *data = memory ? data_new(bytes) : NULL;
    if (!data) {
        free(memory);
        return CU_OUT_OF_MEMORY;
    }
    memset(data, 0xa5, bytes);
    *memory = (struct sim_memory){ .next = device->memory, .data = data, .bytes = bytes };
    device->memory = memory;
    device->memory_used += bytes;
    *at = (uint64_t)(uintptr_t)data;
    return CU_OK;
}

/* As a driver does it waits for the device; what other devices still read there is not waited for,
   and order.c reports it. */
int cuMemFree_v2(uint64_t at)
{
    int code = sim_enter("cuMemFree_v2", true);
    struct sim_device *device = sim_device();
    if (code)
        return code;
    struct sim_memory **place = &device->memory, *memory;
    while (*place && (uint64_t)(uintptr_t)(*place)->data != at)
        place = &(*place)->next;
    memory = *place;
    if (!memory)
        return sim_fail(CU_INVALID_VALUE, "memory is freed that was not allocated here");
    sim_run_device(device);
    *place = memory->next;
    memory_end(device, memory);
    return CU_OK;
}

/* Memory of the device alone. */
int cuPointerGetAttribute(void *value, int attribute, uint64_t at)
{
    enum { TYPE = 2, TYPE_DEVICE = 2, IS_MANAGED = 8, ORDINAL = 9 };
    struct sim *sim = simulated();
    int code = sim_enter("cuPointerGetAttribute", true), owner = -1;
    for (int i = 0; i < sim->n_devices; i++)
        if (memory_find(&sim->devices[i], at, 1))
            owner = i;
    if (code || owner < 0)
        return code ? code : CU_INVALID_VALUE;
    if (attribute != TYPE && attribute != IS_MANAGED && attribute != ORDINAL)
        return CU_INVALID_VALUE;
    *(int *)value = attribute == TYPE ? TYPE_DEVICE : attribute == ORDINAL ? owner : 0;
    return CU_OK;
}

int cuMemGetInfo_v2(size_t *left, size_t *all)
{
    int code = sim_enter("cuMemGetInfo_v2", true);
    *all = simulated()->memory_limit;
    *left = *all - (code ? 0 : sim_device()->memory_used);
    return code;
}

/* --- copies ----------------------------------------------------------------------------------- */

/* Lines of bytes from one end to another; an end with a device is in its memory. */
struct copy_end {
    const struct sim_device *device;
    uint64_t at;
    size_t pitch;
};
struct copy {
    struct copy_end from, to;
    size_t width, height;
};

static size_t end_bytes(const struct copy *copy, const struct copy_end *end)
{
    return (copy->height - 1) * end->pitch + copy->width;
}

static bool end_exists(const struct copy *copy, const struct copy_end *end)
{
    return !end->device || sim_memory_of(end->device, end->at, end_bytes(copy, end));
}

/* A line at one end of the copy. */
static int end_touch(const struct sim_operation *operation, const struct copy *copy,
                     const struct copy_end *end, size_t line, bool writes)
{
    struct sim_memory *memory = end->device ? memory_find(end->device, end->at, 1) : NULL;
    if (!end->device)
        return CU_OK;
    if (sim_lost(end->device))
        return sim_lost(end->device);
    if (!memory)
        return sim_fail(CU_ILLEGAL_ADDRESS, "%s: its memory was freed before it ran",
                        operation->what);
    size_t begin = (size_t)(end->at - (uint64_t)(uintptr_t)memory->data) + line * end->pitch;
    return sim_touch(operation, memory, begin, begin + copy->width, writes);
}

static int copy_run(const struct sim_operation *operation, void *state)
{
    const struct copy *copy = state;
    int code = CU_OK;
    for (size_t i = 0; i < copy->height && !code; i++) {
        code = end_touch(operation, copy, &copy->from, i, false);
        if (!code)
            code = end_touch(operation, copy, &copy->to, i, true);
        if (!code)
            memcpy((char *)(uintptr_t)copy->to.at + i * copy->to.pitch,
                   (const char *)(uintptr_t)copy->from.at + i * copy->from.pitch, copy->width);
    }
    return code;
}

static void copy_count(const struct copy *copy)
{
    struct sim_device *to = (struct sim_device *)copy->to.device;
    struct sim_device *from = (struct sim_device *)copy->from.device;
    if (!to && from)
        from->to_host++;
    if (to && !from)
        to->from_host++;
    if (to && from && to != from) {
        to->from_peers++;
        to->staged += !to->reaches[sim_number(from)];
    }
}

static int copy_give(const char *symbol, const struct copy *copy, struct sim_stream *stream)
{
    if (!stream || copy->width == 0 || copy->height == 0 || !end_exists(copy, &copy->from) ||
        !end_exists(copy, &copy->to))
        return sim_fail(CU_INVALID_VALUE, "%s: a copy of %zu lines of %zu bytes leaves its arrays",
                        symbol, copy->height, copy->width);
    struct copy *kept = malloc(sizeof *kept);
    if (!kept)
        return CU_OUT_OF_MEMORY;
    *kept = *copy;
    copy_count(copy);
    return sim_give(stream, (struct sim_operation){.what = symbol, .run = copy_run, .end = free,
                                                   .state = kept});
}

static struct copy copy_of(struct copy_end from, struct copy_end to, size_t bytes)
{
    return (struct copy){from, to, bytes, 1};
}

static struct copy_end on_host(const void *host)
{
    return (struct copy_end){.at = (uint64_t)(uintptr_t)host};
}

static int copy_now(const char *symbol, const struct copy *copy)
{
    struct sim_stream *stream = sim_stream_of(NULL);
    int code = copy_give(symbol, copy, stream);
    return code ? code : sim_run(stream, stream->given, &stream->clock);
}

int cuMemcpyHtoDAsync_v2(uint64_t at, const void *host, size_t bytes, void *stream)
{
    int code = sim_enter("cuMemcpyHtoDAsync_v2", true);
    struct copy copy = copy_of(on_host(host), (struct copy_end){sim_device(), at, 0}, bytes);
    return code ? code : copy_give("cuMemcpyHtoDAsync_v2", &copy, sim_stream_of(stream));
}

int cuMemcpyDtoHAsync_v2(void *host, uint64_t at, size_t bytes, void *stream)
{
    int code = sim_enter("cuMemcpyDtoHAsync_v2", true);
    struct copy copy = copy_of((struct copy_end){sim_device(), at, 0}, on_host(host), bytes);
    return code ? code : copy_give("cuMemcpyDtoHAsync_v2", &copy, sim_stream_of(stream));
}

int cuMemcpyHtoD_v2(uint64_t at, const void *host, size_t bytes)
{
    int code = sim_enter("cuMemcpyHtoD_v2", true);
    struct copy copy = copy_of(on_host(host), (struct copy_end){sim_device(), at, 0}, bytes);
    return code ? code : copy_now("cuMemcpyHtoD_v2", &copy);
}

int cuMemcpyDtoH_v2(void *host, uint64_t at, size_t bytes)
{
    int code = sim_enter("cuMemcpyDtoH_v2", true);
    struct copy copy = copy_of((struct copy_end){sim_device(), at, 0}, on_host(host), bytes);
    return code ? code : copy_now("cuMemcpyDtoH_v2", &copy);
}

int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes);
int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes)
{
    int code = sim_enter("cuMemcpyDtoD_v2", true);
    struct copy copy = copy_of((struct copy_end){sim_device(), from, 0},
                               (struct copy_end){sim_device(), to, 0}, bytes);
    return code ? code : copy_now("cuMemcpyDtoD_v2", &copy);
}

static bool end_read(const struct cuda_end *end, struct copy_end *result)
{
    bool is_device = end->type == DEVICE;
    *result = (struct copy_end){is_device ? sim_device() : NULL,
                                is_device ? end->device : (uint64_t)(uintptr_t)end->host,
                                end->pitch};
    return (is_device || end->type == HOST) && end->x == 0 && end->y == 0;
}

/* A driver takes no lines that overlap. */
int cuMemcpy2DAsync_v2(const struct cuda_lines *lines, void *stream)
{
    int code = sim_enter("cuMemcpy2DAsync_v2", true);
    struct copy copy = {.width = lines->width, .height = lines->height};
    if (code)
        return code;
    if (!end_read(&lines->from, &copy.from) || !end_read(&lines->to, &copy.to) ||
        copy.from.pitch < copy.width || copy.to.pitch < copy.width)
        return sim_fail(CU_INVALID_VALUE, "cuMemcpy2DAsync_v2: impossible lines");
    return copy_give("cuMemcpy2DAsync_v2", &copy, sim_stream_of(stream));
}

int cuMemcpyPeerAsync(uint64_t to, void *to_context, uint64_t from, void *from_context,
                      size_t bytes, void *stream)
{
    int code = sim_enter("cuMemcpyPeerAsync", true);
    struct copy copy = copy_of((struct copy_end){from_context, from, 0},
                               (struct copy_end){to_context, to, 0}, bytes);
    return code ? code : copy_give("cuMemcpyPeerAsync", &copy, sim_stream_of(stream));
}

int cuMemcpy3DPeerAsync(const struct cuda_peer_lines *lines, void *stream)
{
    const struct cuda_peer_end *from = &lines->from, *to = &lines->to;
    int code = sim_enter("cuMemcpy3DPeerAsync", true);
    struct copy copy = {{from->context, from->device, from->pitch},
                        {to->context, to->device, to->pitch}, lines->width, lines->height};
    if (code)
        return code;
    if (from->type != DEVICE || to->type != DEVICE || lines->depth != 1 ||
        from->pitch < lines->width || to->pitch < lines->width)
        return sim_fail(CU_INVALID_VALUE, "cuMemcpy3DPeerAsync: impossible lines");
    return copy_give("cuMemcpy3DPeerAsync", &copy, sim_stream_of(stream));
}
