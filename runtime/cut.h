#ifndef TREEFORK_CUT_H
#define TREEFORK_CUT_H
/* How a launch of a region is cut in parts, from the rows of its tables. */
#include "runtime/runs.h"
#include "runtime/tables.h"

#pragma GCC visibility push(hidden)

/* A row of parts at one point: of an array subscripts in one dimension, which move with the
   blocks (struct treefork_part_row). */
struct treefork_claim {
    size_t array;               /* of the region's arrays */
    bool writes, is_exact, is_whole;
    treefork_int step, from, to, least, most, unit, base, pieces, pitch;
};

struct treefork_cut {
    const char *reason;         /* why the launch is not cut; NULL: it is cut */
    bool is_last;               /* the cut runs along the last axis */
    treefork_int extent;        /* blocks along it */
    size_t count;
    struct treefork_claim *claims;      /* owned; only those whose condition holds */
};

/* Of launch number `launch` of the region's launches. MEMORY. */
int treefork_cut_read(struct treefork_evaluation *e, size_t launch, struct treefork_cut *cut);
void treefork_cut_free(struct treefork_cut *cut);
/* The bytes that blocks from .. to - 1 touch by the claim, of an array of so many bytes; false if
   they do not lie within the array, or a number leaves 64 bits. */
bool treefork_claim_row(const struct treefork_claim *claim, treefork_int from, treefork_int to,
                        size_t bytes, struct treefork_row *row);

#pragma GCC visibility pop
#endif
