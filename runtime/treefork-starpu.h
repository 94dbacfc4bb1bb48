#ifndef TREEFORK_STARPU_H
#define TREEFORK_STARPU_H
/* Regions as tasks of StarPU (docs/starpu.md). NAME.starpu.c, which `treefork build --starpu`
   writes, includes NAME.tf.c with TREEFORK_STARPU defined as the name of its table, and the words
   at the end give the calls of libtreefork to libtreefork-starpu. The functions that stand
   first are for programs. */
#include "treefork-tables.h"

/* The number of this process among those that MPI runs, and how many there are; 0 and 1 without
   MPI. StarPU is started by the first call, or by the first region. */
int treefork_starpu_rank(void);
int treefork_starpu_ranks(void);
/* Ends StarPU, and MPI if this library has started it; no region runs from here on. The end of the
   program does so by itself; a program that has started MPI itself calls this before it ends
   MPI. */
void treefork_starpu_end(void);
/* Bytes that this process has sent to others: what parts of launches read, and what host code
   touches. */
struct treefork_starpu_statistics {
    uint64_t tasks, tasks_by_opencl; /* run in this process; of these by OpenCL workers */
    uint64_t bytes_between, bytes_home;
};
struct treefork_starpu_statistics treefork_starpu_statistics(void);

/* --- what generated code uses ---------------------------------------------------------------- */

/* Blocks of a launch by their linear numbers: `rows` runs of `count` blocks, the first of which is
   number `first`, `pitch` apart. */
struct treefork_starpu_blocks {
    long first, count, rows, pitch;
};
/* Runs the blocks, with the region's arguments and arrays. */
typedef void (*treefork_starpu_run)(const struct treefork_argument *arguments,
                                    const void *const *arrays,
                                    const struct treefork_starpu_blocks *blocks);
struct treefork_starpu_function {
    const struct treefork_region *region;
    int leaf, launch; /* launches of a leaf are counted from 0 */
    treefork_starpu_run run;
};
/* The launches of a leaf stand together, in their order. */
struct treefork_starpu_table {
    size_t count;
    const struct treefork_starpu_function *functions;
};

/* As treefork_region_run: not OK where nothing was computed and the serial code is to run, on every
   process. */
int treefork_starpu_region(const struct treefork_region *region,
                           struct treefork_argument *arguments, const void *const *arrays,
                           int automatic, const struct treefork_starpu_table *table);
/* Memory for the tiles of a block; the program stops where there is none. */
void *treefork_starpu_tiles(size_t bytes);
void treefork_starpu_tiles_end(void *tiles);
/* As treefork_before_read and the others: every process gets all that was computed. */
void treefork_starpu_before(const char *function);
void treefork_starpu_array_end(const void *array, size_t bytes);
/* The value of meta_threads(): the same for any workers and processes, since sums depend on it. */
enum { TREEFORK_STARPU_THREADS = 64 };

#ifdef TREEFORK_STARPU
static const struct treefork_starpu_table TREEFORK_STARPU;
#define treefork_region_run(region, arguments, arrays, automatic) \
    treefork_starpu_region(region, arguments, arrays, automatic, &TREEFORK_STARPU)
#define treefork_stays(region, points) 0
#define treefork_before_read(function) treefork_starpu_before(function)
#define treefork_before_write(function) treefork_starpu_before(function)
#define treefork_before_return(function) treefork_starpu_before(function)
#define treefork_array_end(array, bytes) treefork_starpu_array_end(array, bytes)
#define treefork_after_serial() ((void)0)
/* Fragments that stand twice run as regions. */
#define treefork_pays(function, line, rounds, times) 1
#define treefork_paid(function) ((void)0)
#define treefork_threads() TREEFORK_STARPU_THREADS
#define treefork_threads_now() TREEFORK_STARPU_THREADS
#endif

#endif
