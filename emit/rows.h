#ifndef EMIT_ROWS_H
#define EMIT_ROWS_H
#include "ir/kernel.h"

/* Threads as loops: a block of one thread that walks over the points of a plain band, the last axis
   innermost and only where the band's guard lets it. */
struct thread_rows {
    const struct stmt *band;    /* the only one of the kernel; NULL: the kernel is better run by
                                   threads */
    const struct stmt *guard;   /* what all work of the band stands under */
    const struct expr *from, *to;   /* 64 bits: the points of the last axis that it lets through;
                                       0 <= from, to <= the extent */
    const struct expr *left;    /* what it asks beside; NULL: nothing */
};
struct thread_rows rows_find(struct arena *arena, const struct kernel *kernel,
                             const struct stmt *body);

#endif
