#ifndef MAPPER_SHAPE_H
#define MAPPER_SHAPE_H
#include "base/vec.h"
#include "mapper/plan/plan.h"

/* How many lines of memory blocks of threads touch, in closed form, and the block and order of axes
   that touch the fewest (spec H-23 to H-25; tests/unit/mapper_shape.c counts them out). */

enum { BLOCK_VOLUME = 256, WARP = 32, LINE_BYTES = 128 };

/* One access seen from the axes: how its place in memory moves with each. */
struct movement {
    double weight;                   /* how often a thread makes it */
    int64_t line;                    /* elements per line */
    int64_t factors[AXES_MAX];       /* elements per step, at least 0; `line`: a line or more */
};
typedef VEC(struct movement) movement_list;

/* Lines that a box of threads touches, whose first element begins a line: every step of a line or
   more is a line of its own, and what moves less touches all lines from the first to the last
   (H-23). axes: those of the box's extents. */
double lines_touched(const struct movement *m, int n, const int *axes, const int64_t *box);
/* The threads of a warp as a box: the last axis is filled first (H-24). */
void warp_box(int n, const int64_t *block, int64_t *warp);

/* Of the axes that have threads. */
struct block_shape {
    double cost;                     /* lines per thread of a block and of a warp, by weight */
    double steps;                    /* elements from a thread to its neighbour on x, by weight */
    int axes[THREAD_AXES_MAX];       /* the last one is x */
    int64_t block[THREAD_AXES_MAX];
};
/* Of all choices of three axes, where there are more, all orders of them and all blocks of 256
   threads whose extents are powers of two the one of least cost; of equals the one whose neighbours
   are nearest, then the one with the greater extent on x. counts: how many points an axis has, 0
   where that is not known: a block of twice as many is no choice, if there is another one. */
struct block_shape shape_best(const movement_list *list, int n, const int64_t *counts);

#endif
