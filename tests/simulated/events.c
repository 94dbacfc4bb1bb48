/* Events of the simulated driver: a place in a stream, and the time at which it was recorded. */
#include "simulated.h"
#include <stdlib.h>
#include <time.h>

struct sim_event {
    struct timespec time;
    const struct sim_device *device;
    struct sim_stream *stream;          /* NULL: it was not recorded */
    uint32_t until;
    struct sim_clock clock;
};

int cuEventSynchronize(void *event);
int cuEventElapsedTime(float *milliseconds, void *from, void *to);

int cuEventCreate(void **event, unsigned flags)
{
    enum { DISABLE_TIMING = 2 };
    int code = sim_enter("cuEventCreate", true);
    struct sim_event *made = code || flags & ~(unsigned)DISABLE_TIMING ? NULL
                                                                       : calloc(1, sizeof *made);
    *event = made;
    if (!made)
        return code ? code : CU_INVALID_VALUE;
    made->device = sim_device();
    simulated()->events++;
    return CU_OK;
}

int cuEventDestroy_v2(void *event)
{
    simulated()->events--;
    free(event);
    return CU_OK;
}

int cuEventRecord(void *handle, void *stream)
{
    struct sim_event *event = handle;
    int code = sim_enter("cuEventRecord", true);
    struct sim_stream *at = code ? NULL : sim_stream_of(stream);
    if (!at || event->device != at->device)
        return code ? code : sim_fail(CU_INVALID_VALUE, "an event is recorded where it is not of");
    event->stream = at;
    event->until = at->given;
    event->clock = at->clock;
    clock_gettime(CLOCK_MONOTONIC, &event->time);
    return CU_OK;
}

int cuStreamWaitEvent(void *stream, void *handle, unsigned flags)
{
    const struct sim_event *event = handle;
    int code = sim_enter("cuStreamWaitEvent", true);
    struct sim_stream *at = code ? NULL : sim_stream_of(stream);
    if (!at || flags)
        return code ? code : CU_INVALID_VALUE;
    if (event->stream)
        sim_await(at, event->stream, event->until, &event->clock);
    return CU_OK;
}

int cuEventSynchronize(void *handle)
{
    const struct sim_event *event = handle;
    int code = sim_enter("cuEventSynchronize", false);
    return code || !event->stream ? code : sim_run(event->stream, event->until, &event->clock);
}

int cuEventElapsedTime(float *milliseconds, void *from, void *to)
{
    const struct sim_event *a = from, *b = to;
    *milliseconds = (float)((double)(b->time.tv_sec - a->time.tv_sec) * 1e3 +
                            (double)(b->time.tv_nsec - a->time.tv_nsec) / 1e6);
    return CU_OK;
}
