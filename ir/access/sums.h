#ifndef IR_ACCESS_SUMS_H
#define IR_ACCESS_SUMS_H
#include "ir/access/access.h"

/* The sums of a kernel with accumulating stores: where the parts of an element are, and in which
   form they become it (optimizer/strategies/reduce.c makes the forms). */

enum sum_form {
    SUM_ORDER,      /* no form: one thread has to sum in the order of the source */
    SUM_SCATTERED,  /* every accumulation is an atomic operation */
    SUM_ATOMIC,     /* a tree over the lanes of a block, then one atomic operation */
    SUM_IN_BLOCK,   /* a tree, then a plain store: one block has all parts of an element */
    SUM_FINISH,     /* a tree, then a partial array, which a second kernel sums */
    SUM_WALKED      /* a block's points walk over the array: each block has an array of its own in
                       its place, and a second kernel sums those, element by element */
};

/* Trees in a kernel. */
enum { SUM_TREES_MOST = 30 };

/* Axes of a kernel, bit i for axis i. */
struct sum_axes {
    unsigned grid, block;
};

/* All accumulations in an array, or those in one of several elements that literals tell apart. Of a
   form with a tree: they have these subscripts. Along the axes that are missing in them lie the
   parts of one element. */
struct sum {
    const struct array *array;
    enum reduce_op reduction;
    enum sum_form form;
    const struct expr *const *subscripts;    /* array->n_dims, over parameters and the variables of
                                                the kernel's grid and block */
    size_t n_stores;                         /* the accumulations, as nodes of the body */
    const struct stmt *const *stores;
    const struct expr *const *dims;          /* extents of the array, an open one found */
    unsigned grid, block;                    /* bit i: axis i is missing in the subscripts */
    int depth;                               /* fixed axes whose loops the tree stands in: up to the
                                                innermost one that the subscripts have */
    unsigned merged;                         /* the other fixed axes, which are missing: along
                                                them a block makes one part */
    const struct expr *start;                /* the element's value before the first accumulation;
                                                NULL = the one from before the launch */
    const struct expr *starts;               /* the condition of the start; NULL = always, where the
                                                element lies in its array */
    const struct axis *started;              /* SUM_WALKED with a start: the elements that have it,
                                                from 0 on, by the variable of `start` */
    bool is_used;                            /* SUM_IN_BLOCK: accumulations in other arrays read
                                                elements behind its last accumulation */
};

/* A plain store behind the last accumulation in the elements of sums that end together. */
struct sum_finish {
    size_t sum;                              /* the number of one of these sums */
    const struct stmt *store;
    const struct expr *condition;            /* NULL = always */
};
struct sums {
    size_t count;                            /* in the order of kernel->arrays */
    const struct sum *at;
    size_t n_finishes;                       /* in the order of the text */
    const struct sum_finish *finishes;
    unsigned fixed;                          /* axes of the grid that have a fixed number of blocks,
                                                each of which goes over several points: those that
                                                a sum with a tree lacks */
    int n_fixed, order[AXES_MAX];            /* these, the outermost loop over points first */
};
struct sums access_sums(struct ctx *ctx, const struct kernel *kernel);
/* Those of the sums of `whole` whose accumulations the part of it has, with their finishes. */
struct sums sums_of_part(struct ctx *ctx, const struct kernel *whole, const struct kernel *part);
bool sum_has_tree(const struct sum *sum);
/* Is the number of blocks fixed along axes that the sum lacks? */
bool sum_has_parts(const struct sum *sum);
/* Where elements of a summed array are read behind its last accumulation: the number of the first
   statement of the body, a sequence, that reads one. -1: nothing reads them; -2: some reads stand
   elsewhere. */
int sums_use(struct arena *arena, const struct stmt *body, const struct array *array);
/* Is it proved that no two threads of a block accumulate in one element of the array, whatever
   points of the grid the block goes over? */
bool sum_is_walked(struct ctx *ctx, const struct kernel *kernel, const struct array *array);
/* The axes that none of the subscripts has. */
struct sum_axes axes_missing(const struct kernel *kernel, const struct expr *const *subscripts,
                             int n_dims);
/* Is it proved that points of the axes that are not missing may execute a body of a thread at
   once? */
bool axes_are_apart(struct ctx *ctx, const struct kernel *kernel, struct sum_axes missing,
                    const struct stmt *body);
bool sum_has_store(const struct sum *sum, const struct stmt *store);
/* Under which condition on the axes the element lies in its array; NULL = always. */
const struct expr *sum_inside(struct arena *arena, const struct kernel *kernel,
                              const struct sum *sum);

/* The number of blocks along an axis of the grid that has a fixed number of them, or (`all`: every
   axis has) any other one: a literal, and what of it is there where the axis is shorter. */
int64_t sums_blocks(const struct kernel *kernel, const struct sums *sums, int axis);
/* The least number of consecutive points that each block along such an axis goes over. */
int64_t sums_least(const struct kernel *kernel, const struct sums *sums, int axis);
const struct expr *sums_extent(struct arena *arena, const struct kernel *kernel,
                               const struct sums *sums, int axis);
/* Product of the extents of those block axes whose bits are set in `axes`. */
const struct expr *block_points(struct arena *arena, const struct kernel *kernel, unsigned axes);

/* Do all points accumulate in one place along that dimension of the array, which parameters alone
   tell? Then parts have one place there. */
bool sum_is_fixed(const struct sum *sum, int dim);
/* Appends the partial arrays of the kernel's sums to its global arrays: for each sum with a tree a
   place for every lane of every block (for kernels without shared memory), and for one to be
   finished the parts. Both stand for the array that is summed (`origin`), the lanes first. */
void sums_add_arrays(struct ctx *ctx, struct kernel *kernel);

#endif
