#ifndef IR_SIMULATE_H
#define IR_SIMULATE_H
#include "ir/interpret.h"

/* The counting simulator: runs a kernel thread by thread (ir/interpret.h) and counts, exactly, what
   its accesses touch. Warps are runs of consecutive threads; accesses of a warp belong to one
   instruction as struct interpret_access says, so loops run in step. Every array begins on a line,
   as does shared memory on bank 0. It is the oracle of the closed forms of optimizer/counters (spec
   H-23, H-24) and no model of a cache: nothing is remembered between two instructions. */

struct simulate_options {
    int64_t warp;          /* threads; 0 = 32 */
    int64_t line;          /* bytes; 0 = 128 */
    int64_t sector;        /* bytes; 0 = 32 */
    int64_t banks;         /* of 4 bytes; 0 = 32 */
};

/* One load or store of the kernel, over the whole run. */
struct simulated_access {
    const struct array *array;
    const void *node;
    bool is_write;
    int64_t accesses, bytes;            /* by threads */
    /* Global arrays. A block's instruction: all threads, and in a strided band all points, of one
       execution in one round. */
    int64_t instructions, lines;        /* lines: different ones per block's instruction, summed */
    int64_t warps;                      /* warps' instructions (also of shared arrays) */
    int64_t transactions, sectors;      /* different lines, sectors per warp's
                                           instruction, summed */
    int64_t ideal;                      /* lines that its different bytes would fill, summed */
    int64_t transactions_most;          /* of one instruction of a warp */
    /* Shared arrays: different words of one bank that a warp's instruction asks for; 8-byte
       elements by half warps, 16-byte vectors by quarters. */
    int64_t parts;                      /* times the banks would be asked without conflicts: warps,
                                           half warps, quarters */
    int64_t wavefronts;                 /* times they are asked */
    int64_t degree_most;                /* 1 = no conflict */
};

struct simulation {
    struct interpret_result result;     /* counts are those up to the fault if it is
                                           not INTERPRET_DONE */
    size_t count;
    const struct simulated_access *accesses;   /* by first execution */
    /* Sums over the global accesses: the most that one block (one warp of it) has at one
       grid point. */
    int64_t lines_most, transactions_most;
    /* Bytes of each global array that the run reads, and writes, however often; by kernel->arrays
       index. */
    const int64_t *read, *written;
};

/* Arrays are changed as by interpret_threads. The result lies in `arena`. */
struct simulation kernel_simulate(struct arena *arena, const struct kernel *kernel,
                                  const struct interpret_input *input,
                                  struct simulate_options options);

#endif
