#ifndef TREEFORK_OVERLAP_H
#define TREEFORK_OVERLAP_H
/* Buffers whose ranges overlap, before and after launches: few lines that every launch runs. */
#include "runtime/internal.h"

#pragma GCC visibility push(hidden)

/* Newer device contents of the buffers that overlap `wanted` come to the host, which `wanted` will
   be filled from. */
static inline int treefork_buffer_settle_others(struct treefork_device *device,
                                                const struct treefork_buffer *wanted)
{
    for (struct treefork_buffer *b = device->buffers; b; b = b->next) {
        if (b == wanted || treefork_runs_has(&b->runs, SIDE_OF_HOST) ||
            !treefork_buffer_overlaps(b, wanted))
            continue;
        int status = treefork_buffer_download(device, b);
        if (status)
            return status;
    }
    return TREEFORK_OK;
}

/* Buffers that overlap a written one, whose contents `holder` has, are stale. */
static inline void treefork_buffer_spread(struct treefork_device *device,
                                          const struct treefork_buffer *holder,
                                          const struct treefork_buffer *written)
{
    for (struct treefork_buffer *b = device->buffers; b; b = b->next)
        if (b != holder && !b->whole && treefork_buffer_overlaps(b, written))
            treefork_buffer_stale(device, b);
}

#pragma GCC visibility pop
#endif
