/* What programs beside libtreefork call of the driver: events, and copies from device to device.
   Work on this device is done when a call returns, so an event is the time at which it was
   recorded. */
#include "simulated.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

int cuEventCreate(void **event, unsigned flags);
int cuEventDestroy_v2(void *event);
int cuEventRecord(void *event, void *stream);
int cuEventSynchronize(void *event);
int cuEventElapsedTime(float *milliseconds, void *from, void *to);
int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes);

int cuEventCreate(void **event, unsigned flags)
{
    int code = sim_enter("cuEventCreate", true);
    *event = code || flags ? NULL : calloc(1, sizeof(struct timespec));
    return code || *event ? code : CU_INVALID_VALUE;
}

int cuEventDestroy_v2(void *event)
{
    free(event);
    return CU_OK;
}

int cuEventRecord(void *event, void *stream)
{
    (void)stream;
    clock_gettime(CLOCK_MONOTONIC, event);
    return CU_OK;
}

int cuEventSynchronize(void *event)
{
    (void)event;
    return CU_OK;
}

int cuEventElapsedTime(float *milliseconds, void *from, void *to)
{
    const struct timespec *a = from, *b = to;
    *milliseconds =
        (float)((double)(b->tv_sec - a->tv_sec) * 1e3 + (double)(b->tv_nsec - a->tv_nsec) / 1e6);
    return CU_OK;
}

int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes)
{
    int code = sim_enter("cuMemcpyDtoD_v2", true);
    if (code || !sim_memory_of(to, bytes) || !sim_memory_of(from, bytes))
        return code ? code
                    : sim_fail(CU_INVALID_VALUE, "a copy of %zu bytes leaves its arrays", bytes);
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return CU_OK;
}
