#ifndef OPTIMIZER_STRATEGIES_REDUCE_H
#define OPTIMIZER_STRATEGIES_REDUCE_H
#include "ir/access/sums.h"
#include "optimizer/strategies/rewrite.h"
#include "optimizer/strategies/strategies.h"

/* The state of strategy_reduce, and the statements that its kernels consist of. */

/* A sum with a tree in the kernel being made. */
struct tree_sum {
    const struct sum *sum;
    size_t number;                   /* of the sum */
    enum type type;
    const struct array *slots;       /* x: shared, or lanes in global memory; NULL = shared memory
                                        is allowed, and no tree needs it */
    const struct array *parts;       /* SUM_FINISH */
    const struct var *own;           /* shared: the thread's own sum */
    const struct expr *lanes;        /* their number; NULL = one, there is no tree */
    const struct array *whole;       /* shared: the values of the point's elements for the block
                                        that uses them; NULL = the block reads the elements */
};

/* A read of one of several elements that the block has just summed, and its place among these. */
struct whole_read {
    const struct expr *load;
    const struct tree_sum *tree;
    const struct expr *place;
};

/* An array of scattered sums, and a block's copy of it. */
struct scatter_copy {
    const struct array *array, *copy;
    enum reduce_op reduction;
};

/* A sum whose array a block walks over, and the block's array in its place. */
struct walked_sum {
    const struct sum *sum;
    enum type type;
    const struct array *parts;       /* by block, in global memory */
    bool has_copy;
    const struct array *copy;        /* in shared memory; NULL = the block's row of `parts` */
};

/* An array of which a block reads a row before and behind a sum that it uses: the row in shared
   memory, the loads before and behind, and their subscripts in the row. */
enum { ROWS_MOST = 4 };
struct row_copy {
    const struct array *copy;
    const struct expr *first, *later;        /* first NULL: the array's only store is before */
    int n_dims;
    const struct expr *const *dims, *const *stored, *const *read;
    bool is_shared;                  /* threads read what other ones stored */
};

struct reducing {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;     /* as given */
    bool is_shared;
    bool has_copies;                 /* scattered sums may have copies in shared memory */
    bool is_fixed;                   /* the number of blocks is fixed for copies alone */
    struct scatter_copy *copies;
    int n_copies;
    const struct expr *least;        /* is_fixed: points of the last grid axis for a block */
    struct sums sums;
    struct sum_finish *finishes;     /* sums.n_finishes */
    struct names names;
    struct tree_sum *trees;
    int n_trees;
    struct walked_sum *walked;
    int n_walked;
    struct row_copy *rows;
    int n_rows;
    VEC(struct whole_read) whole_reads;
    const struct array **shared;     /* n_shared: the trees' arrays */
    int n_shared;
    const struct expr *shared_bytes;
    const struct expr **row;         /* per grid axis: the number of the block along it, of those
                                        that run */
    const struct var **band_own;     /* per tree: the band's own sum */
};

const struct expr *reduce_number(const struct reducing *r, int64_t value);
const struct expr *reduce_binary(const struct reducing *r, enum op op, const struct expr *a,
                                 const struct expr *b);
/* One behind the other (NULL = nothing), a band of the block, a statement under a condition (NULL =
   none). */
const struct stmt *reduce_pair(const struct reducing *r, const struct stmt *a,
                               const struct stmt *b);
const struct stmt *reduce_band(const struct reducing *r, const struct stmt *body);
const struct stmt *reduce_under(const struct reducing *r, const struct expr *condition,
                                const struct stmt *body);

/* The partial array of the array's sum that is the n-th one (from 0). */
const struct array *partial_find(const struct kernel *kernel, const struct array *array, int n);
/* Places an array in shared memory behind what is there. */
void reduce_share(struct reducing *r, struct array *array);

/* Is there a barrier behind the last accumulation already, that of a tree? */
bool reduce_ends_behind_barrier(const struct reducing *r);

/* Scattered sums: fixes the number of blocks where copies are for it (before trees are made); makes
   the copies (behind the trees' arrays); the kernel's whole body with them. */
void scatter_fix(struct reducing *r);
void scatter_copies(struct reducing *r);
const struct stmt *scatter_around(struct reducing *r, const struct stmt *body);

/* Arrays that a block walks over: finds them (true: one has a copy); places the copies of so many
   bytes an element; the kernel's whole body with the block's own arrays in their place; the kernel
   that sums these, NULL if there is none. */
bool walked_find(struct reducing *r, bool has_copies);
void walked_place(struct reducing *r, unsigned bytes);
const struct stmt *walked_around(struct reducing *r, const struct stmt *body);
const struct kernel *walked_finish(struct reducing *r);

/* Rows (`has_rows`: if there may be any) and reads of summed elements: finds them where the block
   uses sums from the statement `use` of the body on; places rows of so many bytes an element; the
   statements before with the rows stored, and those from there on with them read. Is a barrier
   needed before the next point of the grid? */
void reuse_find(struct reducing *r, int use, bool has_rows);
bool reuse_is_shared(const struct reducing *r);
void reuse_place(struct reducing *r, unsigned bytes);
const struct stmt *reuse_keep(struct reducing *r, const struct stmt *s);
const struct stmt *reuse_load(struct reducing *r, const struct stmt *s);

/* The number of a point among those of the axes whose bits are set; the axis of the block that
   alone tells the elements of a sum apart, NULL if none or several do. */
const struct expr *block_number(const struct reducing *r, const struct axis *axes, unsigned bits);
const struct axis *tree_column(const struct reducing *r, const struct tree_sum *t);
/* The number of a thread's lane; its place in x, `axes` being those of a band; a place's value. */
const struct expr *tree_lane(const struct reducing *r, const struct tree_sum *t);
const struct expr *tree_place(const struct reducing *r, const struct tree_sum *t,
                              const struct axis *axes);
const struct expr *tree_load(const struct reducing *r, const struct tree_sum *t,
                             const struct expr *place);
const struct stmt *tree_store(const struct reducing *r, const struct tree_sum *t,
                              const struct expr *place, const struct expr *value);
const struct expr *tree_neutral(const struct reducing *r, const struct tree_sum *t);
/* A new local of the type of the sum; sum = sum op value. */
struct var *tree_local(struct reducing *r, const struct tree_sum *t, const char *suffix);
const struct stmt *tree_local_join(struct reducing *r, const struct tree_sum *t,
                                   const struct var *sum, const struct expr *value);
/* The number of a block among those along the axes that are missing in the sum; their number. */
const struct expr *tree_part(const struct reducing *r, const struct sum *sum,
                             const struct expr **count);
/* The subscripts of a part of an element. */
const struct expr **tree_part_indices(const struct reducing *r, const struct sum *sum,
                                      const struct expr *part);

/* A band whose threads sum in variables: those of the block level, or without shared memory the
   band's own, kept in global memory from band to band. For stmt_rewrite. */
const struct stmt *reduce_band_own(void *state, const struct stmt *s);
/* Which sums end at a place: bit i of `which` for r->trees[i]. */
bool tree_is_among(unsigned which, int i);
/* The statements before the first accumulation of these sums, and those behind the last one:
   threads' own sums go to x, trees, ends. */
const struct stmt *trees_begin(struct reducing *r, unsigned which);
const struct stmt *trees_end(struct reducing *r, unsigned which);
/* The rounds of the trees, NULL if there are none; behind them lane 0 stores the sum, `value`: as
   the block's part, or (`is_finishing`, and where there are no parts) into the element. */
const struct stmt *trees_join(struct reducing *r, unsigned which);
const struct stmt *tree_end(struct reducing *r, const struct tree_sum *t, bool is_finishing,
                            const struct expr *value);
/* The finishes of these sums, by the threads that stored the elements; NULL if there are none. */
const struct stmt *trees_finish(const struct reducing *r, unsigned which);
/* An element of a summed array becomes element op sum. */
const struct stmt *tree_element_join(struct reducing *r, const struct tree_sum *t,
                                     const struct expr *value);

#endif
