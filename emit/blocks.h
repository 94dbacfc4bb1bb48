#ifndef EMIT_BLOCKS_H
#define EMIT_BLOCKS_H
#include "emit/rows.h"

/* A block of several bands as one thread. In: a kernel. Out: rows->block and what it needs; nothing
   if the kernel is better run by threads. */
void blocks_make(struct arena *arena, const struct kernel *kernel, struct thread_rows *rows);

#endif
