#ifndef OPTIMIZER_SEARCH_H
#define OPTIMIZER_SEARCH_H
#include "constraints/solve.h"
#include "optimizer/quintuple.h"

/* Algorithms 1 and 2 (spec C-16, C-17) with the repairs of C-19, independent of kernels: a region
   is a space and a store, which answers by key. */

/* What the search came to, in the order in which it went on: a fork is followed by all that lies
   behind its accept edge, then by all that lies behind its refuse edge. */
enum record_kind {
    RECORD_FORK,                        /* `test`; `strategy`: the test is what this one needs,
                                           else NULL */
    RECORD_APPLY,                       /* a mark before what follows: `strategy` is applied here */
    RECORD_LEAF,                        /* `leaf` */
    RECORD_REST,                        /* nothing is left to try */
    RECORD_EMPTY                        /* no point comes here */
};

struct record {
    enum record_kind kind;
    struct constraint test;
    struct slots slots;                 /* of the test */
    const char *counter;                /* whose limit or guard is tested */
    const char *strategy;
    const struct counter_test *part;    /* the test is this part of a goal; NULL = of none */
    const char *proposed;               /* the test is of the code with this strategy; NULL */
    const struct quintuple *leaf;
};

struct search_result {
    bool ok;                            /* false after a diagnostic */
    size_t n_records;
    const struct record *records;
    size_t n_leaves;
    const struct quintuple *const *leaves;   /* those of the records, in the order of Algorithm 1:
                                                accept first */
    size_t n_unknown;                   /* questions that the solver left undecided */
    uint64_t questions;                 /* to the solver, about the consistency of paths */
    int depth;                          /* longest path */
};

struct search_result search_run(const struct search_space *space, struct store *store);
/* Longest possible path: at most s + w*s pops without performance counters, else (s+t) + w*(s+1)
   (spec C-19). */
int search_height_bound(const struct search_space *space);

/* value.c. A value over the slots `to`, which takes its auxiliary integers in; NULL if fewer than
   `room` slots would be left. */
const struct counter_value *value_bind(const struct search_space *space,
                                       const struct counter_value *value, struct slots *to,
                                       int room);
/* May the value rise in `system`, that is, is "after <= before" not proved there? Both over the
   same slots. */
bool counter_may_rise(struct arena *arena, struct sas system, const struct counter_value *before,
                      const struct counter_value *after);
/* Is after <= before not proved in `system`? */
bool poly_may_rise(struct sas system, const struct poly *before, const struct poly *after);
/* target.c: has the target nothing to be tested? */
bool target_is_met(const struct counter_value *value);
/* May a target be harder to reach than it was? */
bool target_may_fall(struct arena *arena, struct sas system, const struct counter_value *before,
                     const struct counter_value *after);
/* Is it proved that test `test` of its goal (its value, if it has none) is no harder, and is
   it another? */
bool target_betters(struct arena *arena, struct sas system, const struct counter_value *before,
                    const struct counter_value *after, size_t test);
/* limit relation for one piece: value <= limit (resource), limit <= value (performance). */
struct constraint counter_accept(const struct counter_piece *piece, const struct poly *limit,
                                 bool is_resource);

#endif
