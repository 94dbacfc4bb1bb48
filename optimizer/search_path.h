#ifndef OPTIMIZER_SEARCH_PATH_H
#define OPTIMIZER_SEARCH_PATH_H
#include "base/vec.h"
#include "optimizer/search.h"

/* The state of a search, and what its steps ask of a path. */

struct search {
    struct arena *arena;
    const struct search_space *space;
    struct store *store;
    struct solver *solver;
    VEC(struct constraint) asserted;      /* what the solver holds above the initial system, one
                                             level each */
    VEC(const struct quintuple *) waiting;
    VEC(struct record) records;
    VEC(const struct quintuple *) leaves;
    size_t accepted;                      /* counters accepted on all paths so far */
    struct search_result result;
};

/* search_path.c: does no point come here? Undecided paths are kept and marked. */
bool quintuple_is_empty(struct search *search, struct quintuple *q);
/* The path goes on by a constraint. */
void quintuple_step(struct search *search, struct quintuple *q, struct step step);
/* The path takes in auxiliary integers, with what is known of them; counter: whose value has
   them. */
void slots_take(struct search *search, struct quintuple *q, struct slots slots, int counter);
/* The value on the path, which has taken in its auxiliary integers before. */
const struct counter_value *value_here(const struct search *search, const struct quintuple *q,
                                       const struct counter_value *value);

/* search_strategy.c: may the counter be worse after a strategy than before? */
bool counter_may_worsen(struct search *search, const struct quintuple *q, int c,
                        const struct counter_value *before, const struct counter_value *after);
/* The counter's value with one more strategy; NULL after a diagnostic. */
const struct counter_value *value_with(struct search *search, const struct quintuple *q,
                                       int strategy, int counter);
/* The strategy that makes the code of last resort, for a resource; -1 for a target. */
int strategy_last(const struct search_space *space, const struct quintuple *q, int c);
/* The first resource from number `from` on that the strategy may raise: n_counters if none. One
   that is applied for a target must fit with it, so that no leaf is lost by it. *after: its value
   then; NULL if it is not one piece. */
int resource_that_rises(struct search *search, const struct quintuple *q, int strategy, int from,
                        const struct counter_value **after);
/* The first member of sigma left in omega that applies and does not raise the counter of the
   question; for a target one that betters the test asked for; -1 if there is none. */
int strategy_search(struct search *search, const struct quintuple *q);
/* Is a member of sigma(c) left in omega that applies? */
bool strategy_left(const struct search *search, const struct quintuple *q, int c);

/* The strategy goes from omega to source or lambda. */
void strategy_move(struct search *search, struct quintuple *q, int strategy);
/* Algorithm 2, lines 12 to 15 and 25 to 28: the strategy is applied for counter c; r1..ri (r1..rs,
   p_i) come back onto gamma, and with them every accepted counter whose value may be worse. False
   after a diagnostic. */
bool strategy_apply(struct search *search, struct quintuple *q, int c, int strategy);

#endif
