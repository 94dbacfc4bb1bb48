/* Streams of the simulated driver. In: operations; out: they have run, in the order of each stream
   and behind what streams wait for. With TREEFORK_SIMULATED_LATE=1 an operation runs when the
   program waits for it, or for one that waits for it, and not before: a result that was used too
   early is not there. Every operation knows which operations are certainly before it
   (struct sim_clock), from its stream, from events, and from what the program itself has waited
   for. */
#include "tests/simulated/simulated.h"
#include <stdlib.h>

static void clock_learn(struct sim_clock *clock, const struct sim_clock *other)
{
    for (int i = 0; i < SIM_STREAMS; i++)
        if (other->seen[i] > clock->seen[i])
            clock->seen[i] = other->seen[i];
}

struct sim_stream *sim_stream_of(const void *handle)
{
    struct sim *sim = simulated();
    struct sim_device *device = sim_device();
    struct sim_stream *stream = handle ? NULL : &sim->streams[sim_number(device)];
    for (int i = sim->n_devices; i < sim->n_streams; i++)
        if (handle == &sim->streams[i] && sim->streams[i].device == device)
            stream = &sim->streams[i];
    if (!stream)
        sim_fail(CU_OK, "a stream that is unknown, or of another context");
    return stream;
}

static int stream_number(const struct sim_stream *stream)
{
    return (int)(stream - simulated()->streams);
}

/* --- operations ------------------------------------------------------------------------------- */

static void operation_add(struct sim_stream *stream, struct sim_operation wanted)
{
    struct sim_operation *operation = calloc(1, sizeof *operation);
    if (!operation)
        abort();
    clock_learn(&stream->clock, &simulated()->host);
    stream->clock.seen[stream_number(stream)] = ++stream->given;
    *operation = wanted;
    operation->stream = stream;
    operation->number = stream->given;
    operation->clock = stream->clock;
    if (!stream->first)
        stream->end = &stream->first;
    *stream->end = operation;
    stream->end = &operation->next;
}

static void operation_end(struct sim_operation *operation)
{
    if (operation->end)
        operation->end(operation->state);
    free(operation);
}

void sim_await(struct sim_stream *stream, struct sim_stream *awaited, uint32_t until,
               const struct sim_clock *clock)
{
    operation_add(stream, (struct sim_operation){.awaited = awaited, .until = until});
    clock_learn(&stream->clock, clock);
}

/* A wait for a stream of a device that is lost ends; what the other one would have written is not
   there. */
static int stream_run(struct sim_stream *stream, uint32_t until)
{
    while (stream->done < until && !sim_lost(stream->device)) {
        struct sim_operation *operation = stream->first;
        if (operation->awaited)
            stream_run(operation->awaited, operation->until);
        int code = operation->run ? operation->run(operation, operation->state) : CU_OK;
        if (code)
            sim_lose(stream->device, code);
        stream->first = operation->next;
        stream->done = operation->number;
        operation_end(operation);
    }
    return sim_lost(stream->device);
}

int sim_run(struct sim_stream *stream, uint32_t until, const struct sim_clock *clock)
{
    int code = stream_run(stream, until);
    clock_learn(&simulated()->host, clock);
    return code;
}

static int stream_wait(struct sim_stream *stream)
{
    return sim_run(stream, stream->given, &stream->clock);
}

/* The legacy stream of a context is in order with all others of it that do not say otherwise. */
static void stream_join(struct sim_stream *stream)
{
    struct sim *sim = simulated();
    struct sim_stream *legacy = &sim->streams[sim_number(stream->device)];
    if (stream->is_blocking && legacy->done < legacy->given)
        sim_await(stream, legacy, legacy->given, &legacy->clock);
    for (int i = sim->n_devices; i < sim->n_streams && stream == legacy; i++) {
        struct sim_stream *other = &sim->streams[i];
        if (other->device == stream->device && other->is_blocking && other->done < other->given)
            sim_await(stream, other, other->given, &other->clock);
    }
}

int sim_give(struct sim_stream *stream, struct sim_operation operation)
{
    stream_join(stream);
    operation_add(stream, operation);
    return simulated()->is_late ? CU_OK : stream_run(stream, stream->given);
}

int sim_run_device(const struct sim_device *device)
{
    struct sim *sim = simulated();
    for (int i = 0; i < sim->n_streams; i++)
        if (sim->streams[i].device == device)
            stream_wait(&sim->streams[i]);
    return sim_lost(device);
}

void sim_streams_forget(const struct sim_device *device)
{
    struct sim *sim = simulated();
    for (int i = 0; i < sim->n_streams; i++) {
        struct sim_stream *stream = &sim->streams[i];
        while (stream->device == device && stream->first) {
            struct sim_operation *operation = stream->first;
            stream->first = operation->next;
            operation_end(operation);
        }
        if (stream->device == device)
            stream->done = stream->given;
    }
}

/* --- entry points ----------------------------------------------------------------------------- */

int cuStreamCreate(void **handle, unsigned flags)
{
    struct sim *sim = simulated();
    int code = sim_enter("cuStreamCreate", true), at = sim->n_devices;
    while (at < sim->n_streams && sim->streams[at].device)
        at++;
    if (code || flags > 1 || at == SIM_STREAMS)
        return code ? code : sim_fail(CU_INVALID_VALUE, "a stream too many");
    sim->n_streams = at < sim->n_streams ? sim->n_streams : at + 1;
    struct sim_stream *stream = &sim->streams[at];      /* which counts on */
    stream->device = sim_device();
    stream->is_blocking = flags == 0;
    *handle = stream;
    return CU_OK;
}

int cuStreamDestroy_v2(void *handle)
{
    int code = sim_enter("cuStreamDestroy_v2", true);
    struct sim_stream *stream = code || !handle ? NULL : sim_stream_of(handle);
    if (!stream)
        return code ? code : CU_INVALID_VALUE;
    code = stream_run(stream, stream->given);
    stream->device = NULL;
    return code;
}

int cuStreamGetCtx(void *handle, void **context)
{
    int code = sim_enter("cuStreamGetCtx", true);
    const struct sim_stream *stream = code ? NULL : sim_stream_of(handle);
    *context = stream ? stream->device : NULL;
    return code || stream ? code : CU_INVALID_VALUE;
}

int cuStreamSynchronize(void *handle)
{
    int code = sim_enter("cuStreamSynchronize", true);
    struct sim_stream *stream = code ? NULL : sim_stream_of(handle);
    if (!stream)
        return code ? code : CU_INVALID_VALUE;
    return stream_wait(stream);
}
