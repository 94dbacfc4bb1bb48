#ifndef OPTIMIZER_SPACE_H
#define OPTIMIZER_SPACE_H
#include "metafork/region.h"
#include "optimizer/counter.h"
#include "optimizer/strategy.h"
#include "optimizer/tree.h"

/* The space that a tree divides: the parameters of a region and of machines, what holds of them
   from the beginning, what the tree may fork on and what may be done to the kernel. It is made
   before the search and never changed.

   Auxiliary integers (ceilings, maxima) belong to values of counters, of which more turn up with
   every kernel. Their variables are slots behind the parameters: what stands in a slot is told by
   the table (struct slots) of the value, path or definition at hand, so that the ring bounds the
   integers of one path, not those of all kernels tried. */

/* A counter that the tree forks on. */
struct search_counter {
    const char *name;
    int symbol;                         /* of counter.def; models of tests: any */
    bool is_resource;
    const struct poly *limit;           /* a machine parameter; of a target the value aimed at */
    int n_sigma;
    const int *sigma;                   /* strategies in the order in which they are tried */
    /* Decision codes given when the counter is accepted: "1" once (registers), "4a" and "3a" while
       staged (shared). */
    bool codes_registers, codes_staging;
};

struct search_space {
    struct ctx *ctx;
    struct arena *arena;
    const struct region *region;        /* NULL in models of tests */
    const struct tree_options *options;
    struct ring *ring;                  /* parameters of the region, then of the machine,
                                           then slots */
    int n_fixed;                        /* variables that are parameters */
    uint64_t machine;                   /* those of the machine, a bit set over ring variables */
    struct sas initial;                 /* what holds everywhere */
    int rows_axis;                      /* of the block: points of a thread along it are its rows */
    int n_counters;
    const struct search_counter *counters;
    int n_strategies;
    const struct strategy *strategies;
    enum tree_mode mode;
    bool repeat_gamma;                  /* keep repeated entries of gamma, as the paper has it */
    bool sweep_always;                  /* golden runs: the final sweep does not look at
                                           the counters */
    size_t max_accepted;                /* once counters were accepted so often, on all paths
                                           together, every resource that is refused goes to the
                                           final strategy and no target is pursued; 0 = no limit */
};

/* The space of a region. NULL after a diagnostic: an option names no counter, or the region has too
   many parameters. */
const struct search_space *space_make(struct ctx *ctx, const struct region *region,
                                      const struct tree_options *options);
/* Are the region's points proved independent (perhaps under a condition that the dispatcher
   checks), so that their order may be changed? */
bool space_independent(const struct search_space *space);
/* May tiles of the region be filled rounds ahead? */
bool space_may_stage(const struct search_space *space);
/* Does the tree fork on the counter? */
bool space_forks_on(const struct search_space *space, int symbol);
/* A machine parameter as a polynomial; NULL if the counters that the tree forks on do not
   declare it. */
const struct poly *space_machine(const struct search_space *space, const char *name);
/* A polynomial of a kernel of the region as one of the space (NULL: NULL). */
const struct poly *space_poly(const struct search_space *space, const struct poly *p);
/* The variable of a slot; -1 if the ring has no room for it. */
int space_slot(const struct search_space *space, int slot);

#endif
