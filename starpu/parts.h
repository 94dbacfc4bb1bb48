#ifndef STARPU_PARTS_H
#define STARPU_PARTS_H
/* Launches of a region, cut in parts that are tasks. */
#include "runtime/cut.h"
#include "starpu/tasks.h"

/* A region that runs: its values are set, its leaf is chosen. */
struct treefork_starpu_run_of {
    const struct treefork_region *region;
    struct treefork_evaluation *evaluation;
    const struct treefork_starpu_function *functions; /* of the leaf's launches */
    const struct treefork_leaf_row *leaf;
    struct treefork_argument *arguments;
    const void **arrays; /* partial arrays have memory of ours */
    size_t *bytes; /* of the arrays */
    double nanoseconds; /* predicted of the leaf; 0: it is not known */
    bool trace;
};

/* Queues the tasks of launch number `launch` of the leaf; `plan` says its blocks. */
void treefork_parts_submit(const struct treefork_starpu_run_of *run, size_t launch,
                           const struct treefork_launch *plan);

#endif
