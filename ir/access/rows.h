#ifndef IR_ACCESS_ROWS_H
#define IR_ACCESS_ROWS_H
#include "ir/access/access.h"

/* The elements that a part of a launch touches: blocks f to t - 1 of one axis of the grid, with
   all blocks of the other axes. Any kernel is taken, staged and promoted ones too; global arrays
   only. */

/* Of one array, the elements whose subscript in `dimension` is at least step*f + from and below
   step*t + to. Outside that dimension they have the subscripts `outer`; inside they are whole. All
   expressions are over the kernel's parameters, TYPE_I64. Besides, no block touches less than
   `least` or more than `most`, nor what lies outside the array. */
struct part_row {
    const struct array *array;
    bool is_write;
    /* Not NONE: a write, of the whole array, in which blocks of all parts add up by this operator
       and do nothing else. Each part may have a copy of the array that begins with neutral elements
       and is joined with the others afterwards. */
    enum reduce_op reduction;
    const struct expr *condition;     /* the row counts only where this holds; NULL = always */
    int dimension;                    /* -1: the whole array (of reads only) */
    const struct expr *const *outer;  /* `dimension` of them; NULL = all subscripts */
    const struct expr *step, *from, *to;
    const struct expr *least, *most;  /* NULL = not known */
    /* Of a write: its blocks write each of its elements where all of these hold. Else the row has
       to be read before, as it counts as written. */
    bool is_exact;
    size_t n_exact;
    const struct expr *const *exact;
};

struct part_rows {
    int axis;                         /* of the grid */
    const char *refusal;              /* why launches are not cut along it; NULL = they may be */
    size_t count;
    const struct part_row *at;
};

/* Rows for cuts along this axis. Writes of different blocks of the axis, but those that add up, are
   disjoint: step*f + from to step*t + to of one part ends where that of the next part begins.
   `source`: the banded kernel that this one was made of, whose condition (access_parallel) holds at
   every launch. */
struct part_rows access_rows(struct ctx *ctx, const struct kernel *kernel,
                             const struct kernel *source, int axis);
/* Rows for cuts along the first and, where that does not settle it, the last axis of the grid, and
   the choice between the two (cuts.c). */
struct part_cut {
    int n_axes;                       /* 1: the first serves; 2: both were asked about */
    struct part_rows axes[2];
    bool is_cut;                      /* false: each has a reason why not */
    int taken;                        /* of `axes` */
};
struct part_cut access_cut(struct ctx *ctx, const struct kernel *kernel,
                           const struct kernel *source);
/* The rows along the axis that is taken; of a launch that runs whole, the reasons. */
void access_cut_print(struct str *out, const struct kernel *kernel, const struct part_cut *cut);
/* An expression of a row, as reports have it. */
const char *access_part_text(struct arena *arena, const struct expr *e);
/* Report for `-d rows`: the axes along which launches are cut, the first and the last. */
void access_rows_print(struct ctx *ctx, struct str *out, const struct kernel *kernel);

#endif
