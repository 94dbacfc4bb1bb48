#ifndef OPTIMIZER_STRATEGIES_JAM_H
#define OPTIMIZER_STRATEGIES_JAM_H
#include "ir/names.h"
#include "optimizer/pipeline/jam.h"
#include "optimizer/pipeline/recurrences.h"
#include "optimizer/strategies/rewrite.h"

/* Two serial loops of a thread, one in the other, of which the outer one is unrolled and its copies
   are jammed in the inner one. */

/* A load of a copy whose value the round before has stored. */
struct jam_carry {
    int copy;
    const struct expr *load;          /* in the body as it stood */
    int from;                         /* the copy that stores the value … */
    const struct stmt *store;         /* … by this statement */
    const struct var *var;            /* has the value from round to round */
};

struct jam_nest {
    struct arena *arena;
    struct names *names;
    const struct stmt *outer, *inner;
    const struct stmt *const *body;   /* the statements of the innermost body */
    int n_body;
    struct jam jam;
    int64_t shifts[JAM_COPIES], most; /* rounds of the inner loop by which copies are late */
    VEC(struct jam_carry) carries;
};

/* jam_round.c: the copies of the body in one round of the inner loop, whose variable has the value
   `round`. All run, loads of all copies before the stores of a statement, and carried values come
   from the round before and are left for the next one. */
const struct stmt *jam_round(struct jam_nest *nest, const struct expr *round);
/* Each runs where its own round is from `begin` (NULL: known) to `end`. */
const struct stmt *jam_round_guarded(struct jam_nest *nest, const struct expr *round,
                                     const struct expr *begin, const struct expr *end);
/* Definitions of the carried scalars before the round `first`. */
const struct stmt *jam_carried(struct jam_nest *nest, const struct expr *first);
/* Is the load evaluated whenever the statement is? */
bool jam_load_is_certain(const struct stmt *s, const struct expr *load);

#endif
