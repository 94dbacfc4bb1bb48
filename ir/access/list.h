#ifndef IR_ACCESS_LIST_H
#define IR_ACCESS_LIST_H
#include "ir/access/access.h"

/* The references of a kernel as cost models see them: where the threads of a block stand in an
   array, and how often. Any kernel is taken, also one that is staged, promoted and rewritten; a
   band may be strided. Global and shared arrays only.

   Offsets are in elements from the start of the array, counts per grid point. The threads of a band
   run its serial loops in step: rounds are counted from 0, what a first value says of a thread is
   in the coefficients of the axes. */

/* An axis of the band, or of the grid, or a loop. */
struct list_axis {
    const struct poly *extent;        /* threads, blocks or rounds; NULL = unknown (loops: bounds
                                         that depend on data) */
    const struct poly *coefficient;   /* elements per step; NULL where the access is not affine */
    bool is_exact;                    /* false: `extent` is an upper bound (e.g. the longest row of
                                         a triangle) */
};

struct list_access {
    struct reference reference;       /* array, kind, place */
    unsigned bytes;                   /* per element */
    int width;                        /* consecutive elements of one access: 1, or those of a
                                         vector copy */
    const struct stmt *band;          /* NULL: at block level, made by every thread alike
                                         (n_axes 0) */
    bool is_strided;                  /* of the band: its points are dealt out to the threads
                                         row-major, last axis fastest */
    bool is_affine;                   /* offset = constant + sum of coefficient * position, or one
                                         of the choices is */
    int64_t choices;                  /* more than 1: conditions choose among so many offsets, each
                                         of which moves with a thread as the one that is told here,
                                         or less; `constant` is NULL then, and that one's `usual` */
    const struct poly *constant;      /* NULL if not affine, or if the same for all threads but
                                         not known */
    const struct poly *usual;
    int n_axes;
    const struct list_axis *axes;     /* of the band, the last one fastest */
    int n_grid;
    const struct list_axis *grid;
    int n_loops;
    const struct list_axis *loops;    /* around it, from outside to inside: at block level, then in
                                         the thread; `while` loops, too */
    const struct poly *rounds;        /* product of the loops' extents: executions per thread and
                                         grid point (in a strided band: per point); NULL
                                         = unknown */
    bool rounds_exact;
    bool is_guarded;                  /* under a condition that differs between threads, blocks or
                                         rounds, or reads data */
    const struct expr *branch;        /* the outermost condition on the parameters alone; NULL
                                         = none */
    bool branch_negated;              /* it has to be false */
};

/* The ring of the polynomials, and the way in which quotients become part of them. */
struct list_options {
    struct ring *ring;
    /* max(0, numerator / denominator), rounded down, for a denominator >= 1; NULL if there is none.
       `nonnegative`: the numerator is known not to be negative. */
    const struct poly *(*quotient)(void *state, const struct poly *numerator,
                                   const struct poly *denominator, bool nonnegative);
    /* ceil(log2(p)), 0 below 1; NULL if there is none, or the pointer where there never is. */
    const struct poly *(*halvings)(void *state, const struct poly *p);
    void *state;
};

/* All references in the order of the body. Polynomials over options->ring; the list
   in ctx->arena. */
size_t access_list(struct ctx *ctx, const struct kernel *kernel, const struct list_options *options,
                   const struct list_access **list);

/* A condition over two axes that a thread asks for several points of its own, which lie apart along
   short loops: so far do the values that it compares range. */
struct list_straddle {
    const struct poly *distance;      /* over the points of one thread */
    const struct poly *rise, *fall;   /* over the launch, of what raises and what lowers
                                         the difference of the two sides */
};

/* The first condition of the kernel that is of this kind; false if there is none. */
bool access_straddle(struct ctx *ctx, const struct kernel *kernel,
                     const struct list_options *options, struct list_straddle *straddle);

#endif
