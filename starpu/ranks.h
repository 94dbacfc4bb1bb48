#ifndef STARPU_RANKS_H
#define STARPU_RANKS_H
/* The processes that run the program, and StarPU in this one. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <starpu.h>

struct treefork_ranks {
    int own, count; /* of MPI; 0 and 1 without it */
    size_t parts; /* most parts of a launch; the same for all */
    bool is_by_mpi;
};

/* Starts StarPU, and MPI if the program was started by it, once; a status. NO_DEVICE where a
   process has no worker: then none of them runs tasks. */
int treefork_ranks_start(void);
/* Behind a start that was OK. */
const struct treefork_ranks *treefork_ranks_get(void);
/* Queues a copy of the handle's data from one process to another; nothing here where this is
   neither of them. The tag is the same for both and no other handle's. */
void treefork_ranks_copy(starpu_data_handle_t handle, int from, int to, int64_t tag);

/* The memory; the program stops where it is NULL, since other processes count on this one. */
void *treefork_memory_of(void *memory);

#endif
