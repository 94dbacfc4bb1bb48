#ifndef STARPU_TASKS_H
#define STARPU_TASKS_H
/* Parts of launches as tasks of StarPU. */
#include "starpu/segments.h"

/* The blocks of a part along the axis that is cut; extent 0: the launch is not cut. */
struct treefork_blocks_cut {
    treefork_int from, to, extent;
    bool is_last;
};

/* Blocks of a launch on this process. */
struct treefork_task {
    const struct treefork_starpu_function *function;
    const struct treefork_argument *arguments; /* of the region, n_arguments */
    const void *const *arrays; /* n_arrays */
    size_t n_arguments, n_arrays;
    struct treefork_starpu_blocks blocks;
    struct treefork_blocks_cut cut;
    const size_t *bytes; /* of the arrays */
    const unsigned char *modes; /* by segment: TREEFORK_READ, TREEFORK_WRITE, 0 */
    double nanoseconds; /* predicted; 0: it is not known */
};

/* Queues it; everything is copied. */
void treefork_task_submit(const struct treefork_task *task);

#endif
