/* Included by programs that programs.py prints: records which block, band and thread touches which
   address, and tells whether two that nothing orders touch one address, one of them writing.
   Compiled by the C compiler alone, so it shares nothing with the tool. Arrays lie in buffers that
   are larger than any extent used. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRACE_ARRAYS = 12, TRACE_BYTES = 1 << 21, TRACE_FILLED = 1 << 12, TRACE_EVENTS = 1 << 22 };

struct trace_event {
    uintptr_t address;
    int64_t block, thread;
    int32_t band;
    int32_t write;
};

static char trace_memory[TRACE_ARRAYS][TRACE_BYTES];
static struct trace_event trace_events[TRACE_EVENTS];
static size_t trace_count;
static int64_t trace_at_block, trace_at_thread;
static int32_t trace_at_band;

static inline void *trace_array(int i)
{
    return trace_memory[i] + TRACE_BYTES / 2;
}

#define TRACE_FILL(i, type) \
    for (int n_ = 0; n_ < TRACE_FILLED; n_++) \
        ((type *)trace_array(i))[n_] = (type)(rand() % 100)

static inline int64_t trace_pack(int64_t a, int64_t b, int64_t c)
{
    return ((a + 1000) * 100000 + b + 1000) * 100000 + c + 1000;
}

static inline void trace_block(int64_t a, int64_t b, int64_t c)
{
    trace_at_block = trace_pack(a, b, c);
    trace_at_band = 0;
}

static inline void trace_thread(int64_t a, int64_t b, int64_t c)
{
    trace_at_thread = trace_pack(a, b, c);
}

static inline void trace_band(void)
{
    trace_at_band++;
}

static inline void *trace_touch(int write, const void *address)
{
    if (trace_count < TRACE_EVENTS)
        trace_events[trace_count++] = (struct trace_event){(uintptr_t)address, trace_at_block,
                                                           trace_at_thread, trace_at_band, write};
    return (void *)address;
}

#define READ(x) (*(__typeof__(&(x)))trace_touch(0, &(x)))
#define WRITE(x) (*(__typeof__(&(x)))trace_touch(1, &(x)))
#define meta_schedule
#define cache(...)
#define meta_for for

static inline int trace_compare(const void *x, const void *y)
{
    const struct trace_event *a = x, *b = y;
    return a->address != b->address ? (a->address < b->address ? -1 : 1) : b->write - a->write;
}

static inline void trace_begin(void)
{
    trace_count = 0;
}

static inline int trace_meet(const struct trace_event *a, const struct trace_event *b)
{
    return a->address == b->address && (a->write || b->write) &&
           (a->block != b->block || (a->band == b->band && a->thread != b->thread));
}

static inline int trace_end(void)
{
    qsort(trace_events, trace_count, sizeof *trace_events, trace_compare);
    for (size_t i = 0; i < trace_count; i++)
        for (size_t j = i + 1;
             j < trace_count && j < i + 400 && trace_events[j].address == trace_events[i].address;
             j++)
            if (trace_meet(&trace_events[i], &trace_events[j]))
                return 1;
    return 0;
}
