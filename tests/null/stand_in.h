#ifndef NULL_STAND_IN_H
#define NULL_STAND_IN_H
/* The null driver as a program of its own uses one: its counters, and memory and queues by either
   interface. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *stand_in;

static inline void *stand_in_symbol(const char *name)
{
    void *found = dlsym(stand_in, name);
    if (!found) {
        printf("no %s\n", name);
        exit(1);
    }
    return found;
}

/* A function of the library at TREEFORK_CUDA_DRIVER. */
#define STAND_IN(result, name, parameters) ((result(*) parameters)stand_in_symbol(#name))

/* Calls of the program's own do not fail. */
static inline void own_calls(int are_own)
{
    STAND_IN(void, null_own, (int))(are_own);
}

static inline void stand_in_open(void)
{
    stand_in = dlopen(getenv("TREEFORK_CUDA_DRIVER"), RTLD_NOW | RTLD_LOCAL);
    if (!stand_in) {
        puts(dlerror());
        exit(1);
    }
}

/* What the program has made itself. */
struct own {
    int is_cuda;
    void *context, *other_context, *queue, *second, *foreign;   /* foreign: a queue of the other
                                                                   context */
};

static inline void *own_queue(const struct own *own, void *context, int index, uint64_t properties)
{
    int32_t code = 0;
    void *queue = NULL;
    own_calls(1);
    if (own->is_cuda) {
        STAND_IN(int, cuCtxPushCurrent_v2, (void *))(context);
        STAND_IN(int, cuStreamCreate, (void **, unsigned))(&queue, 0);
        STAND_IN(int, cuCtxPopCurrent_v2, (void **))(&context);
    } else {
        queue = STAND_IN(void *, clCreateCommandQueue, (void *, void *, uint64_t, int32_t *))(
            context, (void *)(uintptr_t)(16 + index), properties, &code);
    }
    own_calls(0);
    return queue;
}

static inline void *own_context(const struct own *own, int index)
{
    int32_t code = 0;
    void *context = NULL, *device = (void *)(uintptr_t)(16 + index);
    own_calls(1);
    if (own->is_cuda)
        STAND_IN(int, cuDevicePrimaryCtxRetain, (void **, int))(&context, index);
    else
        context = STAND_IN(void *, clCreateContext,
                           (const void *, uint32_t, void *const *, void *, void *, int32_t *))(
            NULL, 1, &device, NULL, NULL, &code);
    own_calls(0);
    return context;
}

static inline struct own own_begin(const char *kind)
{
    struct own own = {.is_cuda = strcmp(kind, "cuda") == 0};
    own.context = own_context(&own, 0);
    own.other_context = own_context(&own, 1);
    own.queue = own_queue(&own, own.context, 0, 0);
    own.second = own_queue(&own, own.context, 0, 0);
    own.foreign = own_queue(&own, own.other_context, 1, 0);
    return own;
}

static inline void own_end(struct own *own)
{
    void *queues[] = {own->queue, own->second, own->foreign},
         *contexts[] = {own->context, own->other_context};
    own_calls(1);
    for (int i = 0; i < 3; i++)
        if (own->is_cuda)
            STAND_IN(int, cuStreamDestroy_v2, (void *))(queues[i]);
        else
            STAND_IN(int32_t, clReleaseCommandQueue, (void *))(queues[i]);
    for (int i = 0; i < 2; i++)
        if (own->is_cuda)
            STAND_IN(int, cuDevicePrimaryCtxRelease_v2, (int))(i);
        else
            STAND_IN(int32_t, clReleaseContext, (void *))(contexts[i]);
    own_calls(0);
}

static inline void *own_memory(const struct own *own, size_t bytes)
{
    int32_t code = 0;
    uint64_t address = 0;
    void *context = own->context, *memory = NULL;
    own_calls(1);
    if (own->is_cuda) {
        STAND_IN(int, cuCtxPushCurrent_v2, (void *))(context);
        STAND_IN(int, cuMemAlloc_v2, (uint64_t *, size_t))(&address, bytes);
        STAND_IN(int, cuCtxPopCurrent_v2, (void **))(&context);
        memory = (void *)(uintptr_t)address;
    } else {
        memory = STAND_IN(void *, clCreateBuffer, (void *, uint64_t, size_t, void *, int32_t *))(
            context, 1, bytes, NULL, &code);
    }
    own_calls(0);
    return memory;
}

static inline void own_memory_end(const struct own *own, void *memory)
{
    own_calls(1);
    if (own->is_cuda)
        STAND_IN(int, cuMemFree_v2, (uint64_t))((uint64_t)(uintptr_t)memory);
    else
        STAND_IN(int32_t, clReleaseMemObject, (void *))(memory);
    own_calls(0);
}

/* In the order of the queue. */
static inline void own_read(const struct own *own, void *queue, void *memory, int *to, size_t bytes)
{
    own_calls(1);
    if (own->is_cuda)
        STAND_IN(int, cuMemcpyDtoHAsync_v2,
                 (void *, uint64_t, size_t, void *))(to, (uint64_t)(uintptr_t)memory, bytes, queue);
    else
        STAND_IN(int32_t, clEnqueueReadBuffer,
                 (void *, void *, uint32_t, size_t, size_t, void *, uint32_t, void *const *,
                  void **))(queue, memory, 1, 0, bytes, to, 0, NULL, NULL);
    own_calls(0);
}

static inline void own_write(const struct own *own, void *queue, void *memory, const int *from,
                             size_t bytes)
{
    own_calls(1);
    if (own->is_cuda)
        STAND_IN(int, cuMemcpyHtoDAsync_v2, (uint64_t, const void *, size_t, void *))(
            (uint64_t)(uintptr_t)memory, from, bytes, queue);
    else
        STAND_IN(int32_t, clEnqueueWriteBuffer,
                 (void *, void *, uint32_t, size_t, size_t, const void *, uint32_t, void *const *,
                  void **))(queue, memory, 1, 0, bytes, from, 0, NULL, NULL);
    own_calls(0);
}

#endif
