#ifndef OPTIMIZER_STORE_H
#define OPTIMIZER_STORE_H
#include "base/map.h"
#include "base/vec.h"
#include "optimizer/search.h"
#include "optimizer/tree.h"

/* One run of the optimiser on one region: tables, kernels by set of strategies, values of counters. */

enum counter_symbol {
#define X(SYMBOL, name, json, unit, limit, kind, sigma) COUNTER_##SYMBOL,
#include "optimizer/counter.def"
#undef X
    COUNTER_COUNT
};
enum strategy_symbol {
#define X(SYMBOL, name, code, phase, ir, sweep, final, paper, claims, applicable) STRATEGY_##SYMBOL,
#include "optimizer/strategy.def"
#undef X
    STRATEGY_COUNT
};
enum { DROPS = STRATEGY_DROP3 - STRATEGY_DROP1 + 1 };
#define STRATEGY_BIT(SYMBOL) ((uint64_t)1 << STRATEGY_##SYMBOL)

/* A kernel for a set of strategies. */
struct build {
    uint64_t set;
    bool symbolic;                       /* without private arrays whose size is a parameter */
    const struct kernel *kernel;
    const char *text;                    /* as printed: equal kernels are one variant */
    const struct counter_value *values[COUNTER_COUNT];
    const struct poly *registers;        /* bound per thread; NULL = not made yet */
    size_t samples;                      /* those it was fitted above */
    int64_t residual;                    /* it exceeds each of them by so much at most */
};

/* A kernel on which the access relations have been used up. */
struct stage {
    uint64_t set;
    bool symbolic;
    const struct kernel *kernel;
};

/* CPU time so far, and what it is spent on now. */
struct stopwatch {
    bool running;
    enum cost current;
    double last, spent[COST_COUNT];
};

struct store {
    struct ctx *ctx;
    const struct region *region;
    const struct tree_options *options;
    struct ring *ring;
    struct sas initial;
    uint64_t machine;                    /* ring variables that are machine parameters */
    int n_counters;
    int counters[COUNTER_COUNT];         /* symbols, in the order of the search */
    bool drops_known;
    int n_staged;                        /* arrays that may be dropped singly, 0 if fewer than two are staged */
    int drop_order[DROPS];               /* their indices in the region's kernel: drop-1 drops the first */
    const struct kernel *reduced;        /* granularity reduced; NULL = not made yet */
    VEC(struct stage) stages;
    VEC(struct build *) builds;
    VEC(const struct auxiliary *) auxiliaries;
    struct stopwatch watch;
};

/* cost.c: from now on CPU time counts for `to`; returns what it counted for, to be switched back to. */
enum cost cost_switch(struct store *store, enum cost to);

const struct counter *counter_table(int symbol);
const struct strategy *strategy_table(int symbol);
/* -1 if there is none. */
int counter_find(const char *name);
int strategy_find(const char *name);

/* build.c: are the region's points proved independent (perhaps under a condition that the dispatcher checks), so that their
   order may be changed? */
bool store_independent(const struct store *store);
/* build.c: the kernel for a set, made once. NULL after a diagnostic. */
struct build *kernel_build(struct store *store, uint64_t set, bool symbolic);
/* The array that drop-N (from 0) no longer stages; NULL if there is none. */
const struct array *drop_array(struct store *store, int n);
/* The same for a kernel made by kernel_build; NULL for others. */
struct build *kernel_build_of(struct store *store, const struct kernel *kernel);
/* Value of a counter for a set; the same pointer for the same kernel. NULL after a diagnostic. */
const struct counter_value *store_value(struct store *store, uint64_t set, int symbol);
/* Ring variable of a machine parameter; its lower bound joins the initial system. */
int store_machine(struct store *store, const char *name);

/* What a target aims at: a number given, or the machine parameter of its row. */
const struct poly *store_target(struct store *store, int symbol);

/* counter.c: values of one piece. */
struct counter_value value_constant(struct store *store, int64_t value, enum exactness exactness);
struct counter_value value_poly(struct store *store, const struct poly *value, enum exactness exactness);
/* A bounded auxiliary integer max(floor, multiple * ceil(numerator / (multiple * denominator))), the same object for the
   same definition. */
const struct auxiliary *store_auxiliary(struct store *store, const char *stem, const struct auxiliary *definition);
/* Is p never negative in the initial system? By its coefficients alone: false says nothing. */
bool store_positive(const struct store *store, const struct poly *p);
/* Text and facts of an auxiliary integer from its other fields. */
void auxiliary_define(struct arena *arena, struct auxiliary *auxiliary);

/* counters/: one function each. */
#define X(SYMBOL, name, json, unit, limit, kind, sigma)                                                            \
    struct counter_value counter_##name(struct store *store, const struct kernel *kernel);
#include "optimizer/counter.def"
#undef X
/* Registers per thread: an upper bound in the tunables that size private arrays. NULL after a diagnostic. */
const struct poly *registers_estimate(struct store *store, const struct kernel *kernel);

/* condition.c: what a kernel needs of the parameters besides the counters' limits; n conditions in *conditions. */
size_t kernel_conditions(struct store *store, const struct kernel *kernel, const struct search_condition **conditions);
/* The same of a strategy, as far as the kernel of `set` does not need it already. */
size_t strategy_conditions(struct store *store, uint64_t set, int strategy, const struct search_condition **conditions);

/* leaf.c */
struct sas auxiliary_facts(struct arena *arena, const struct tree *tree);
/* witness.c: a point of the path by sampling: what the definitions of auxiliary integers use is drawn, the limits follow.
   False if none was found (nothing is proved by that). */
bool witness_sample(struct arena *arena, const struct tree *tree, struct sas path, int64_t *point);
struct tree_case;
struct leaf_system leaf_finish(struct store *store, const struct tree *tree, const struct tree_case *from);
/* What a kernel of this set needs to run. */
bool variant_fits(struct store *store, uint64_t set, struct sas *fits);

#endif
