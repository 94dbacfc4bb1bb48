/* A program with CUDA memory and a stream of its own on the simulated driver, which computes: generated functions take its device
   pointers. Usage: smooth_cuda [serial]: a region that has to run serially on memory of the device alone. */
#include "smooth.tf.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <treefork.h>

enum { N = 1000 };
static void *library;
#define CUDA(name, parameters) ((int(*) parameters)dlsym(library, #name))

static void *memory_of(const float *from)
{
    uint64_t address = 0;
    CUDA(cuMemAlloc_v2, (uint64_t *, size_t))(&address, N * sizeof *from);
    CUDA(cuMemcpyHtoD_v2, (uint64_t, const void *, size_t))(address, from, N * sizeof *from);
    return (void *)(uintptr_t)address;
}

int main(int argc, char **argv)
{
    struct treefork_device *device;
    void *context, *stream, *u, *v;
    float start[N] = {0}, seen[N];
    library = dlopen(getenv("TREEFORK_CUDA_DRIVER"), RTLD_NOW);
    CUDA(cuInit, (unsigned))(0);
    CUDA(cuDevicePrimaryCtxRetain, (void **, int))(&context, 0);
    CUDA(cuCtxPushCurrent_v2, (void *))(context);
    CUDA(cuStreamCreate, (void **, unsigned))(&stream, 1);
    u = memory_of(start);
    v = memory_of(start);
    void *same = u, *named = NULL;
    if (treefork_open_queue("simulated", argc > 1 ? NULL : stream, &device) || treefork_make_current(device) ||
        treefork_attach(device, &same, sizeof start, u) || treefork_attach(device, &named, sizeof start, v))
        return puts(treefork_message()), 1;
    if (argc > 1)
        setenv("TREEFORK_FORCE", "smooth=99", 1);
    int status = smooth_auto(N, u, named);
    status |= smooth_auto(N / 2, (float *)named + N / 2, u);       /* a part of one into the other */
    struct treefork_statistics s = treefork_statistics(device);
    printf("status %d, %d launches, %d copies\n", status, (int)s.launches, (int)(s.copies_to_device + s.copies_to_host));
    CUDA(cuStreamSynchronize, (void *))(stream);
    CUDA(cuMemcpyDtoH_v2, (void *, uint64_t, size_t))(seen, (uint64_t)(uintptr_t)u, sizeof seen);
    printf("u %g %g %g, ", seen[0], seen[N / 2 - 1], seen[N / 2]);
    shift(N, 16, named);                       /* host code between two regions: the reserved addresses get memory */
    CUDA(cuMemcpyDtoH_v2, (void *, uint64_t, size_t))(seen, (uint64_t)(uintptr_t)v, sizeof seen);
    printf("v %g %g\n", seen[0], seen[1]);
    treefork_close(device);
    CUDA(cuMemFree_v2, (uint64_t))((uint64_t)(uintptr_t)u);
    CUDA(cuMemFree_v2, (uint64_t))((uint64_t)(uintptr_t)v);
    CUDA(cuCtxPopCurrent_v2, (void **))(&context);
    CUDA(cuDevicePrimaryCtxRelease_v2, (int))(0);
    return 0;
}
