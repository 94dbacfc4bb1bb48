#ifndef OPTIMIZER_STRATEGIES_STRATEGIES_H
#define OPTIMIZER_STRATEGIES_STRATEGIES_H
#include "base/vec.h"
#include "ir/access/access.h"

/* The rewrites behind the rows of strategy.def; each makes a new kernel with the same output
   (spec C-09). */

/* All redistributable loops to the grid. */
const struct kernel *strategy_granularity(struct ctx *ctx, const struct kernel *kernel);

/* The choices of strategy_place: which data a kernel keeps in which memory. */
struct placement_options {
    uint64_t stage;         /* arrays of cache(...) that may lie in shared memory, bits by index in
                               kernel->arrays (those from the 64th on: where any bit is set) */
    bool stage_streamed;    /* also tiles that save nothing (tile->is_streamed) */
    bool pieces;            /* serial loops cut into pieces, of which tiles are staged that
                               cache(...) does not name; the points must be independent */
    bool promote;           /* accumulators in registers */
    bool promote_symbolic;  /* also where the private array's size is a parameter */
    bool batch;             /* tiles are copied in batches */
    int stages;             /* buffers of tiles that are filled rounds ahead, asynchronously; below
                               2: none are */
    size_t n_padded;        /* shared arrays whose rows get one element more, by name */
    const char *const *padded;
};
/* Staging, promotion and the barriers between bands, in one pass over the banded kernel. */
const struct kernel *strategy_place(struct ctx *ctx, const struct kernel *kernel,
                                    struct placement_options options);
/* A thread's own sums in lanes, where the kernel says so (ir/own.h): all that is made of the kernel
   has that order. */
const struct kernel *strategy_own_lanes(struct ctx *ctx, const struct kernel *kernel);
/* The same with a thread for each lane, a second axis of the block; the kernel itself if it has no
   such sums, or other loops beside them. */
const struct kernel *strategy_own_threads(struct ctx *ctx, const struct kernel *kernel);
/* Kernels for launches one after the other. A kernel is split into so many; each of these may be
   followed by a kernel that finishes its sums. */
enum { SPLITS_MOST = 4, PARTS_MOST = 3 * SPLITS_MOST };
struct kernel_parts {
    int count;                  /* at least 1 */
    const struct kernel *at[PARTS_MOST];
};
/* A banded kernel split between its statements: level 1 by the cut that leaves the fewest words on
   both sides, level 2 by all cuts; the kernel itself at level 0 and where there is no cut. */
struct kernel_parts strategy_split(struct ctx *ctx, const struct kernel *kernel, int level);
/* The kernels that a banded kernel with accumulating stores becomes: a thread's own sum, the tree
   over the lanes of a block, and a finishing kernel if several blocks have parts of one element.
   The kernel itself if nothing accumulates. */
struct reduce_options {
    bool is_shared;             /* trees may lie in shared memory, else in partial arrays */
    bool has_copies;            /* and a block may have copies of arrays of scattered sums there */
    const struct kernel *whole; /* what the kernel is a part of: its sums tell how many blocks
                                   there are, so that a sum has one order; NULL = nothing */
};
struct kernel_parts strategy_reduce(struct ctx *ctx, const struct kernel *kernel,
                                    struct reduce_options options);
/* The kernel with the next one's work done by its last block (stmt_last): for a device that orders
   memory between blocks of a launch. NULL if that is no kernel: the next one has more than one
   block, or another block, or one of them no shared memory. */
const struct kernel *strategy_join_last(struct ctx *ctx, const struct kernel *kernel,
                                   const struct kernel *next);
/* The kernels without their uses of an array whose elements none but the thread reads that stored
   them, in the same band: the values stay in locals. The same kernels if a load is left, or a
   kernel stores nothing else. */
struct kernel_parts strategy_drop_unread(struct ctx *ctx, struct kernel_parts parts,
                                         const struct array *array);
/* Does a block have such copies in the kernel? */
bool strategy_has_copies(const struct kernel *kernel);
/* Would placement cut a serial loop of the banded kernel into pieces, if it may? */
bool strategy_can_cut(struct ctx *ctx, const struct kernel *kernel);
/* Would placement fill tiles of the banded kernel rounds ahead, if it may? */
bool strategy_can_stage(struct ctx *ctx, const struct kernel *kernel);
/* Does a placed kernel have a tile that cache(...) does not ask for, one of a piece? */
bool strategy_has_pieces(const struct kernel *kernel);
/* The arrays that are staged, as indices into kernel->arrays, in the order in which their staging
   is dropped singly (at most `capacity` are written). Returns how many there are, 0 if fewer
   than two. */
int strategy_drop_order(struct ctx *ctx, const struct kernel *kernel, struct sas facts,
                        bool stage_streamed, int *order, int capacity);
/* The number of global arrays that a placed kernel stages; *found: the one of that name is among
   them. */
int strategy_staged_count(const struct kernel *kernel, const char *name, bool *found);
/* The shared arrays of a placed kernel whose rows should be one element longer: threads that follow
   each other read them down a column, and the rows are not certainly of odd length. Returns how
   many; their names. */
size_t strategy_pad_choose(struct ctx *ctx, const struct kernel *kernel, const char *const **names);
/* All bands strided, so that any number of threads runs the kernel; nothing staged,
   nothing promoted. */
const struct kernel *strategy_stride(struct ctx *ctx, const struct kernel *kernel);
/* Thread coarsening of a placed kernel along a block axis (from 0): a thread executes `factor` (2
   to 8) points of every plain band. The kernel itself where the axis is missing, its extent no
   polynomial or already divided, or a strided band in the way. Asks for independent
   points (access_parallel). */
const struct kernel *strategy_coarsen(struct ctx *ctx, const struct kernel *kernel, int axis,
                                      int factor);
/* The block axis, of all but the last, along which a tile of 4 by 4 points, with the last axis,
   loads the fewest elements: of a batch of products the rows of each, not the products. The first
   of several. */
int strategy_coarsen_rows(struct ctx *ctx, const struct kernel *kernel);
/* Would loops of a thread then load elements once that several of its points read, while threads
   that follow each other along the axis load neighbours? */
bool strategy_coarsen_shares(struct ctx *ctx, const struct kernel *kernel, int axis, int factor);
/* Loops of threads that read tiles in groups of as many rounds as 16 bytes hold, the tiles laid out
   for it; asks for nothing but the launch's divisibility. The kernel itself if there is none.
   `symbolic`: private arrays may be sized by parameters. */
const struct kernel *strategy_wide(struct ctx *ctx, const struct kernel *kernel, bool symbolic);
/* Loads that serial loops of a thread repeat, from round to round or in each round, kept in
   scalars. Returns `kernel` itself if there is none. */
const struct kernel *strategy_scalar_replace(struct ctx *ctx, const struct kernel *kernel);
/* Would it hand something down from round to round? The rest of it compilers do as well. */
bool strategy_scalar_rotates(struct ctx *ctx, const struct kernel *kernel);
/* The axes of block and grid in another order, so that neighbouring threads touch neighbouring
   elements. Returns `kernel` itself where its order is the best. Legal where the points of the
   bands are proved independent. */
const struct kernel *strategy_remap(struct ctx *ctx, const struct kernel *kernel);
/* Tiles filled and written back by accesses of 16 bytes, where a condition on the parameters says
   that they are aligned. */
const struct kernel *strategy_vector(struct ctx *ctx, const struct kernel *kernel);
/* Loops of a thread over consecutive elements likewise. */
const struct kernel *strategy_vector_loop(struct ctx *ctx, const struct kernel *kernel);
/* The innermost serial loops in bands unrolled by a factor, with exact remainders. The kernel
   itself if there is none. */
const struct kernel *strategy_unroll(struct ctx *ctx, const struct kernel *kernel, int factor);
/* Of two serial loops of a thread, one in the other, the outer one unrolled by a factor and its
   copies jammed in the inner one, with the least shifts at which no copy of a round waits for
   another one (optimizer/pipeline). The kernel itself if there are no two loops that allow it. */
const struct kernel *strategy_jam(struct ctx *ctx, const struct kernel *kernel, int factor);
/* Common subexpressions: level 1 in basic blocks, level 2 across control flow and out of loops. */
const struct kernel *strategy_cse(struct ctx *ctx, const struct kernel *kernel, int level);
/* Sums, differences and products of floats that statements which follow each other compute more
   than once, computed once. */
const struct kernel *values_share(struct ctx *ctx, const struct kernel *kernel);
/* Register-pressure level 1..3, carried out by ir/llvm. */
const struct kernel *strategy_pressure(struct ctx *ctx, const struct kernel *kernel, int level);

#endif
