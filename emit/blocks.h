#ifndef EMIT_BLOCKS_H
#define EMIT_BLOCKS_H
#include "emit/rows.h"

/* A block of several bands as one thread. In: a kernel. Out: rows->block with the
   tunables that it needs bound; nothing if the kernel is better run by threads. */
void blocks_make(struct arena *arena, const struct kernel *kernel, struct thread_rows *rows);
/* The same body where a host runs it, whether or not it is better than threads; NULL if the kernel
   cannot be run so. Arrays of threads have the extents of the block. */
const struct stmt *blocks_body(struct arena *arena, const struct kernel *kernel);

#endif
