#ifndef IR_OWN_H
#define IR_OWN_H
#include "ir/kernel.h"

/* A thread's own floating sums, least and greatest numbers over the rounds of its loops, which
   kernels with `own_lanes` take in OWN_LANES lanes: lane l takes rounds l, l + OWN_LANES, …, from
   the neutral element on, and the lanes are joined as those of a block are (docs/reductions.md). */
enum { OWN_LANES = 16, OWN_SUMS_MOST = 4 };

/* A sum of a loop: a variable, or an element that is the same in all its rounds. */
struct own_sum {
    const struct stmt *first;        /* the first STMT_SET or STMT_STORE that adds to it */
    enum type type;
    enum reduce_op reduction;        /* REDUCE_ADD, REDUCE_MIN, REDUCE_MAX */
};

struct own_sums {
    int count;                       /* 0: the loop's rounds keep their order */
    struct own_sum at[OWN_SUMS_MOST];
    const struct stmt *loop;         /* with each choice of an extreme as one statement,
                                        m = e > m ? e : m */
};

/* The sums of a loop that takes them in lanes: a loop of the band's threads, in no other loop of
   these, that does nothing but add to such sums and store elsewhere, and reads memory along rows.
   Threads that follow each other then read no neighbours, in whatever order a thread adds. */
struct own_sums own_sums_find(struct arena *arena, const struct stmt *band,
                              const struct stmt *loop);
/* Is it a loop of the same form that stores and has no sum? Lanes could take its rounds, if these
   are independent. */
bool own_stores_find(struct arena *arena, const struct stmt *band, const struct stmt *loop);
/* The first loop of the kernel that takes sums in lanes; NULL if there is none. */
const struct stmt *kernel_row_sums(struct arena *arena, const struct kernel *kernel);
/* The first loop that sums likewise, numbers of any type, while threads that follow each other read
   neighbours; NULL if there is none. Its rounds keep their order. */
const struct stmt *kernel_column_sums(struct arena *arena, const struct kernel *kernel);
/* The number of the sum that s, a statement of the loop, adds to; -1 if there is none. */
int own_sum_of(const struct own_sums *sums, const struct stmt *s);
/* The term that s, a statement of such a loop, adds to its sum, or the number that it compares with
   its extreme; NULL if s is no such statement. */
const struct expr *own_sum_term(struct arena *arena, const struct stmt *s);
/* The kernel's body with other statements in the place of each loop that takes sums in lanes. */
typedef const struct stmt *(*own_loop_make)(void *state, const struct own_sums *sums);
const struct stmt *own_loops_rewrite(struct arena *arena, const struct kernel *kernel,
                                     own_loop_make make, void *state);
/* own_error.c: the kernel with its sum of that number, from 0 on, shifted by what rounding explains
   of it in any order; NULL: it has fewer sums. */
const struct kernel *own_sum_shifted(struct arena *arena, const struct kernel *kernel, int number);

#endif
