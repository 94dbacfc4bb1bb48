#ifndef OPTIMIZER_STRATEGIES_OWN_LANES_H
#define OPTIMIZER_STRATEGIES_OWN_LANES_H
#include "ir/own.h"
#include "optimizer/strategies/rewrite.h"

/* A thread's own sums in lanes, as own_lanes.c makes them: all lanes in one thread; and
   own_threads.c: each lane in a thread of its own. Both take the rounds and join the lanes in
   one order. */
struct own_making {
    struct arena *arena;
    struct names names;
    struct own_sums sums;                       /* of the loop being made */
    const struct expr *thread_lane;             /* the lane of a thread; NULL: a thread has all */
    const struct array *lanes[OWN_SUMS_MOST];   /* all lanes of a thread */
    const struct var *own[OWN_SUMS_MOST];       /* thread_lane: the thread's own */
    const struct expr *lane;                    /* of the round being made */
    VEC(const struct array *) arrays;           /* made so far */
};

/* Adds all rounds of the loop to the lanes, or a thread's rounds to its own. */
void own_rounds_make(struct own_making *o, const struct stmt *loop, struct stmts *out);
/* a op b, of parts of the sum of that number. */
const struct expr *own_join(const struct own_making *o, int sum, const struct expr *a,
                            const struct expr *b);
/* Adds the joined lanes of the sum of that number to what it adds to. */
const struct stmt *own_sum_join(const struct own_making *o, const struct stmt *loop, int sum,
                                const struct expr *joined);
/* An array of lanes, the last dimension, of a name after the sum's. */
struct array *own_array(struct own_making *o, int sum, const struct expr *const *dims, int n_dims);
/* Puts the arrays made behind those of the kernel. */
void own_arrays_list(const struct own_making *o, struct kernel *kernel);

#endif
