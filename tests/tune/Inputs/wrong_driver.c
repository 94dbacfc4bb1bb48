/* The OpenCL library, but what kernels of two work-groups leave is not what they have computed: one bit turns when it is read
   back (TREEFORK_COPY=1 makes the library read). Kernels of four work-groups end the process. */
#include <dlfcn.h>
#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>

static size_t groups;

static void *real(const char *name)
{
    return dlsym(dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL), name);
}

int32_t clEnqueueNDRangeKernel(void *queue, void *kernel, uint32_t axes, const size_t *offset, const size_t *all,
                               const size_t *group, uint32_t n, const void *wait, void *event)
{
    int32_t (*call)(void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, const void *, void *);
    *(void **)&call = real("clEnqueueNDRangeKernel");
    groups = 1;
    for (uint32_t i = 0; group && i < axes; i++)
        groups *= all[i] / group[i];
    if (groups == 4)
        abort();
    return call(queue, kernel, axes, offset, all, group, n, wait, event);
}

int32_t clEnqueueReadBuffer(void *queue, void *buffer, uint32_t blocks, size_t offset, size_t size, void *to, uint32_t n,
                            const void *wait, void *event)
{
    int32_t (*call)(void *, void *, uint32_t, size_t, size_t, void *, uint32_t, const void *, void *);
    *(void **)&call = real("clEnqueueReadBuffer");
    int32_t status = call(queue, buffer, 1, offset, size, to, n, wait, event);
    (void)blocks;
    if (groups == 2 && size)
        *(unsigned char *)to ^= 1;
    return status;
}
