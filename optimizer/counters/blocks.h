#ifndef OPTIMIZER_COUNTERS_BLOCKS_H
#define OPTIMIZER_COUNTERS_BLOCKS_H
#include "optimizer/counters/scope.h"
#include "optimizer/figures.h"

/* Blocks of a multiprocessor and what they take, for the counters that speak of both. */

/* occupancy.c: the numbers of blocks that registers, shared memory, warps and slots allow; how many
   numbers there are, 0 if one is no polynomial (scope->reason may say why). */
enum { BLOCK_LIMITS = 4 };
int blocks_allowed(struct scope *scope, const struct poly **blocks);

/* time.c: operations of a grid point, and how many of them a multiprocessor does in a cycle. Which
   is the longest is asked by longest_of. Returns how many terms there are. */
enum { CYCLE_TERMS = 4 };
struct cycle_term {
    const struct poly *operations, *lanes;
};
int cycle_terms(struct scope *scope, const struct figures *figures, struct cycle_term *terms);
/* Term i is longer than those before it and not shorter than those behind. */
struct sas longest_of(struct scope *scope, const struct cycle_term *terms, int count, int i);

#endif
