#ifndef EMIT_ROWS_H
#define EMIT_ROWS_H
#include "ir/kernel.h"
#include "runtime/treefork.h"

struct definitions;
struct names;
struct vectors;

/* Threads as loops: a block of one thread that walks over the points of a plain band, the last axis
   innermost and only where the band's guard lets it. */
struct thread_rows {
    const struct stmt *band;    /* the only one of the kernel; NULL: the kernel is better run by
                                   threads */
    const struct stmt *guard;   /* what all work of the band stands under */
    const struct expr *from, *to;   /* 64 bits: the points of the last axis that it lets through;
                                       0 <= from, to <= the extent */
    const struct expr *left;    /* what it asks beside; NULL: nothing */
    /* The last two axes as one row: where `to` - `from` is this number, the band does the same for
       the points a of the outer and c of the last axis as for 0 and joint * a + c, and those follow
       each other; 0: never. `outer_from`, `outer_to`: points of the outer axis. */
    int64_t joint;
    const struct expr *outer_from, *outer_to;
    const struct stmt *lanes;   /* all work of a row, its points as lanes of loops that they run in
                                   step; NULL: the band's work for each point */
    const struct vectors *vectors;  /* loops of it that vectors of points may run */
    const struct var *lane_count;   /* of a group: the bound of loops over its lanes */
    int64_t lanes_most;         /* lanes of a group; 0: as many as suit vectors */
    /* Of a kernel with several bands: the body of a block as one thread executes it, and the
       tunables that have to be bound for it; NULL: there is no such body. */
    const struct stmt *block;
    int n_bound;
    const struct var *const *bound;
};
struct thread_rows rows_find(struct arena *arena, const struct kernel *kernel,
                             const struct stmt *body);
/* The body of a block as one thread executes it whose points run the band's loops in step, up to
   `most` of them at once; NULL: the kernel has several bands, or nothing is gained. */
const struct stmt *rows_in_step(struct arena *arena, const struct kernel *kernel, int64_t most);
/* The loop over rounds with four of them at once, if a round is a loop over lanes and nothing else
   (emit/jam.c); else s. A loop of more than `most` rounds keeps them one by one; 0: no limit. */
const struct stmt *rounds_jam(struct arena *arena, struct names *names, const struct stmt *s,
                              int most);
/* The body with all such loops over `count` lanes jammed. */
const struct stmt *loops_jam(struct arena *arena, const struct kernel *kernel,
                             const struct stmt *body, const struct var *count);
/* Points from <= i < to of an axis, 64 bits; 0 <= from, to <= the extent. NULL: all. */
struct axis_bounds {
    const struct expr *from, *to;
};
/* The guard of a band with its bounds for each axis, which may depend on axes before that; NULL if
   work stands outside of the guard. *left: conjuncts of the guard that no bounds imply; NULL: none.
   `scope`: scalars that stand before the band. */
const struct stmt *rows_narrow(const struct definitions *scope, const struct stmt *band,
                               struct axis_bounds *bounds, const struct expr **left);
/* The figure of the kernel's long loops for the model of predicted time. */
int rows_loops(struct arena *arena, const struct kernel *kernel);

#endif
