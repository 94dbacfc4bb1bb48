#ifndef TESTS_UNIT_OPTIMIZER_REWRITES_H
#define TESTS_UNIT_OPTIMIZER_REWRITES_H
#include "optimizer/store.h"
#include "optimizer/strategies/strategies.h"

/* The rewrites that are functions of a placed kernel alone, by strategy; NULL for the others, and
   where the region's points are not proved independent and the rewrite needs that. */
static inline const struct kernel *rewrite_apply(struct ctx *ctx, const struct region *region,
                                                 const struct kernel *kernel, int strategy)
{
    bool proved = region->legality.verdict == ACCESS_PROVED ||
                  region->legality.verdict == ACCESS_PROVED_UNDER;
    if (kernel_all_strided(kernel))
        proved = false;
    switch (strategy) {
    case STRATEGY_REMAP: return proved ? strategy_remap(ctx, kernel) : NULL;
    case STRATEGY_COARSEN_Y2: return proved ? strategy_coarsen(ctx, kernel, 0, 2) : NULL;
    case STRATEGY_COARSEN_Y4: return proved ? strategy_coarsen(ctx, kernel, 0, 4) : NULL;
    case STRATEGY_COARSEN_Y8: return proved ? strategy_coarsen(ctx, kernel, 0, 8) : NULL;
    case STRATEGY_COARSEN_X2:
        return proved && kernel->n_block > 1 ? strategy_coarsen(ctx, kernel, kernel->n_block - 1, 2)
                                             : NULL;
    case STRATEGY_COARSEN_X4:
        return proved && kernel->n_block > 1 ? strategy_coarsen(ctx, kernel, kernel->n_block - 1, 4)
                                             : NULL;
    case STRATEGY_COARSEN_X8:
        return proved && kernel->n_block > 1 ? strategy_coarsen(ctx, kernel, kernel->n_block - 1, 8)
                                             : NULL;
    case STRATEGY_SCALAR_REPLACE: return strategy_scalar_replace(ctx, kernel);
    case STRATEGY_VECTOR: return strategy_vector(ctx, kernel);
    case STRATEGY_VECTOR_LOOP: return strategy_vector_loop(ctx, kernel);
    case STRATEGY_UNROLL4: return strategy_unroll(ctx, kernel, 4);
    case STRATEGY_UNROLL8: return strategy_unroll(ctx, kernel, 8);
    case STRATEGY_CSE1: return strategy_cse(ctx, kernel, 1);
    case STRATEGY_CSE2: return strategy_cse(ctx, kernel, 2);
    case STRATEGY_PRESSURE1: return strategy_pressure(ctx, kernel, 1);
    case STRATEGY_PRESSURE2: return strategy_pressure(ctx, kernel, 2);
    case STRATEGY_PRESSURE3: return strategy_pressure(ctx, kernel, 3);
    default: return NULL;
    }
}

#endif
