#ifndef TREEFORK_CUT_H
#define TREEFORK_CUT_H
/* How a launch of a region is cut in parts, by the tables of the region at one point. */
#include "runtime/runs.h"
#include "runtime/tables.h"

#pragma GCC visibility push(hidden)

enum { TREEFORK_MEMBERS_MAX = 16 };

/* The first `count` members share the blocks of a launch, each by its weight, which may be 0. */
struct treefork_shares {
    size_t count;
    int64_t weight[TREEFORK_MEMBERS_MAX];
};

struct treefork_cut {
    const char *reason;         /* why the launch is not cut; NULL: it is cut */
    bool is_last;               /* the cut runs along the last axis */
    bool adds;                  /* parts add up in an array, under a condition perhaps */
    treefork_int extent;        /* blocks along the axis */
    struct treefork_evaluation *evaluation;
    const struct treefork_part_row *rows;
    size_t count;               /* 0: nothing is said of arrays */
};

/* Bytes of an array that a part touches by one of the rows; an empty row of bytes where none. */
struct treefork_touch {
    bool reads, writes;
    enum treefork_reduction reduction;      /* of a write by which parts add up */
    struct treefork_row row;
};

/* Blocks of each member: number k gets end[k - 1] .. end[k] - 1, the first from 0 on. Without a
   weight no member gets any. */
void treefork_shares_cut(const struct treefork_shares *shares, treefork_int extent,
                         treefork_int *end);
/* Of launch number `launch` of the region's launches. */
struct treefork_cut treefork_cut_of(struct treefork_evaluation *e, size_t launch);
/* The bytes that blocks from .. to - 1 touch by a row, of an array of so many bytes; false if they
   do not lie within the array, or a number leaves 64 bits. */
bool treefork_cut_touches(const struct treefork_cut *cut, const struct treefork_part_row *row,
                          treefork_int from, treefork_int to, size_t bytes,
                          struct treefork_touch *touch);

/* The window of an array that blocks from .. to - 1 need: all bytes from the first to the last one
   that they touch, from a multiple of WINDOW_UNIT on, since kernels copy up to so many bytes at
   once; no bytes of an array that they do not touch. False as above. `array`: by its number in
   the region. */
enum { TREEFORK_WINDOW_UNIT = 256 };
bool treefork_cut_window(const struct treefork_cut *cut, size_t array, treefork_int from,
                         treefork_int to, size_t bytes, struct treefork_row *window);
/* Where the blocks end of the first members of a device, whose weights sum up to `before` of
   `sum`. */
static inline treefork_int treefork_cut_share(treefork_int extent, int64_t before, int64_t sum)
{
    return extent / sum * before + extent % sum * before / sum;
}

#pragma GCC visibility pop
#endif
