#ifndef OPTIMIZER_PHASES_H
#define OPTIMIZER_PHASES_H
#include "ir/kernel.h"

/* Where the references of a kernel stand, as far as waiting goes. Loads of one phase are under way
   at once: nothing that stands between them needs one of them, ends a round of a loop, decides a
   branch or writes what the later one may read. */
enum { PHASE_LOOPS = 16 };
struct phase {
    int number;
    int overlaps;                   /* copies of its body that an innermost loop has which does
                                       nothing but load and compute, so that several rounds may be
                                       under way; of asynchronous copies the buffers; elsewhere 0 */
    int slopes;                     /* loops around it that are not unrolled, one bound of which is
                                       a sum with a place in it (a thread's, a block's, an outer
                                       loop's), the other none */
    int n_loops;                    /* serial loops of the thread around it */
    bool unrolled[PHASE_LOOPS];     /* the innermost first */
};

/* From loads and stores, by their nodes, to their phase (struct phase). */
struct map *phases_find(struct arena *arena, const struct kernel *kernel);

#endif
