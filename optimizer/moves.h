#ifndef OPTIMIZER_MOVES_H
#define OPTIMIZER_MOVES_H
#include "optimizer/tree.h"

/* Lines of the source that the launches of a leaf run, arrays and words that they move. */

/* A global array of the region that a launch reads from memory or writes. */
struct launch_move {
    const char *name;
    bool is_read, is_written;
    bool is_partial;                    /* parts of sums, in memory of the device alone: they are
                                           not counted */
    const struct poly *words;           /* 4-byte words of the array's elements; NULL: no polynomial
                                           says how many there are */
};

struct launch_moves {
    size_t n_lines;
    const unsigned *lines;              /* of the source as it was given, of what the launch
                                           stores; rising, each once */
    size_t n_moves;
    const struct launch_move *moves;    /* in the order of the kernel's arrays */
    const struct poly *words;           /* of all moves that count; NULL as above */
};

struct leaf_moves {
    const struct launch_moves *launches;    /* variant->n_launches entries */
    const struct poly *words;           /* of all launches; NULL as above */
    size_t n_vanished;
    const char *const *vanished;        /* arrays of the region that no launch touches */
};

/* An entry for each variant of the tree; an array counts with all its elements, as declared or as
   far as subscripts reach. NULL where no leaf of the region is a sequence: several launches, sums,
   or stores to several arrays. In ctx->arena. */
const struct leaf_moves *tree_moves(struct ctx *ctx, const struct tree *tree);

#endif
