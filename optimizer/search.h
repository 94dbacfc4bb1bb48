#ifndef OPTIMIZER_SEARCH_H
#define OPTIMIZER_SEARCH_H
#include "constraints/solve.h"
#include "optimizer/quintuple.h"
#include "optimizer/strategy.h"
#include "optimizer/tree.h"

/* Algorithms 1 and 2 (spec C-16, C-17) with the repairs of C-19, independent of kernels: a region is a set of strategies,
   asked through the functions of `struct search_problem`. */

struct search_counter {
    const char *name;
    int limit;                          /* ring variable: R_i, or the target P_i */
    bool is_resource;
    int n_sigma;
    int sigma[STRATEGIES_MAX];          /* strategies in the order in which they are tried */
    /* Decision codes given when the counter is accepted: "1" once (registers), "4a" and "3a" while staged (shared). */
    bool codes_registers, codes_staging;
    const struct poly *target;          /* of a target: the value aimed at; NULL = the limit */
};

struct search_strategy {
    const char *name, *code;
    bool on_ir;
    bool in_sweep;                      /* applied at processed leaves where it is left over */
    bool is_final;                      /* nothing else is applied after it (stride) */
};

/* Something on the parameters that a strategy needs to be applied; `facts` hold everywhere (of auxiliary integers in it). */
struct search_condition {
    struct constraint holds;
    struct sas facts;
};

struct search_problem {
    struct ring *ring;
    struct sas initial;
    int n_counters, n_strategies;
    const struct search_counter *counters;
    const struct search_strategy *strategies;
    void *state;
    /* Does the strategy change a kernel to which `set` is applied? */
    bool (*applicable)(void *state, uint64_t set, int strategy);
    /* Value of the counter; NULL after a diagnostic. The same pointer for the same question. */
    const struct counter_value *(*evaluate)(void *state, uint64_t set, int counter);
    bool (*is_staged)(void *state, uint64_t set);
    /* What the strategy needs beyond what `set` does, n conditions in *conditions; NULL: none ever does. */
    size_t (*conditions)(void *state, uint64_t set, int strategy, const struct search_condition **conditions);
    enum tree_mode mode;
    bool repeat_gamma;                  /* keep repeated entries of gamma, as the paper has it */
    size_t max_accepted;                /* once counters were accepted so often, on all paths together, every resource that is
                                           refused goes to the final strategy and no target is pursued; 0 = no limit */
    bool sweep_always;                  /* golden runs: the final sweep does not look at the counters */
};

struct search_leaf {
    const struct quintuple *q;
    const struct node **slot;
};

/* A node while the tree grows. `node` first, so that a node of the tree can be cast back. */
struct search_node {
    struct node node;
    bool refuse_empty;                  /* the refuse branch is inconsistent: the test always holds */
};

struct search_result {
    bool ok;                            /* false after a diagnostic */
    size_t n_leaves;
    const struct search_leaf *leaves;   /* in the order of Algorithm 1: accept first */
    const struct node *root;            /* node.variant of a leaf = its index in `leaves` + 1 */
    size_t n_unknown;
    uint64_t questions;                 /* to the solver, about the consistency of paths */
    int depth;                          /* longest path */
};

struct search_result optimizer_search(struct arena *arena, const struct search_problem *problem);
/* Longest possible path: at most s + w*s pops without performance counters, else (s+t) + w*(s+1) (spec C-19). */
int search_height_bound(const struct search_problem *problem);
/* May the value rise in `system`, that is, is "after <= before" not proved there? */
bool counter_may_rise(struct arena *arena, struct sas system, const struct counter_value *before,
                      const struct counter_value *after);
/* Is after <= before not proved in `system`? */
bool poly_may_rise(struct sas system, const struct poly *before, const struct poly *after);
/* target.c: has the target nothing to be tested? */
bool target_is_met(const struct counter_value *value);
/* May a target be harder to reach than it was? */
bool target_may_fall(struct arena *arena, struct sas system, const struct counter_value *before, const struct counter_value *after);
/* Is it proved that test `test` of its goal (its value, if it has none) is no harder, and is it another? */
bool target_betters(struct arena *arena, struct sas system, const struct counter_value *before, const struct counter_value *after,
                    size_t test);
/* limit relation for one piece: value <= limit (resource), limit <= value (performance). */
struct constraint counter_accept(const struct counter_piece *piece, const struct poly *limit, bool is_resource);

#endif
