#ifndef TESTS_CYCLES_H
#define TESTS_CYCLES_H
#include "base/ctx.h"

/* A launch of a PTX entry on one multiprocessor, executed exactly and timed: simulated cycles, no
   measurement. The multiprocessor is a V100's (machine.def). */

/* Memory of the device: bytes of this process that kernels may touch. */
struct cycles_memory {
    char *data;
    size_t bytes;
};

struct cycles_launch {
    const char *ptx, *entry;
    unsigned grid[2], block[2];         /* x, y */
    unsigned dynamic_bytes;             /* shared memory beside what the entry declares */
    int registers;                      /* of a thread; 0: what ir/ptx says that it needs */
    void *const *arguments;             /* one pointer per parameter of the entry */
    const struct cycles_memory *memories;
    int n_memories;
};

struct cycles_result {
    int64_t cycles;                     /* from the first block's start until all is done */
    int64_t issued;                     /* instructions of warps */
    int64_t shared_wavefronts, shared_extra;    /* asked of the banks; those that conflicts cost */
    int64_t lines;                      /* that global accesses asked the first cache for */
    int64_t sectors_l2;                 /* asked of the second cache */
    int64_t bytes_memory;               /* that went to or from memory */
    int resident;                       /* blocks at once */
    int registers;                      /* as used */
};

/* False after a diagnostic: the text has what is not simulated, the block does not fit, or a thread
   left its memory. */
bool cycles_run(struct ctx *ctx, const struct cycles_launch *launch, struct cycles_result *result);

#endif
