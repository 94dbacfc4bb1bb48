#ifndef TESTS_UNIT_OPTIMIZER_REWRITES_H
#define TESTS_UNIT_OPTIMIZER_REWRITES_H
#include "optimizer/optimizer.h"
#include "optimizer/strategies/strategies.h"

/* The rewrites that are functions of a placed kernel alone, by strategy; NULL for the others. */
static inline const struct kernel *rewrite_apply(struct ctx *ctx, const struct kernel *kernel, int strategy)
{
    switch (strategy) {
    case STRATEGY_SCALAR_REPLACE: return strategy_scalar_replace(ctx, kernel);
    case STRATEGY_VECTOR: return strategy_vector(ctx, kernel);
    case STRATEGY_VECTOR_LOOP: return strategy_vector_loop(ctx, kernel);
    case STRATEGY_CSE1: return strategy_cse(ctx, kernel, 1);
    case STRATEGY_CSE2: return strategy_cse(ctx, kernel, 2);
    case STRATEGY_PRESSURE1: return strategy_pressure(ctx, kernel, 1);
    case STRATEGY_PRESSURE2: return strategy_pressure(ctx, kernel, 2);
    case STRATEGY_PRESSURE3: return strategy_pressure(ctx, kernel, 3);
    default: return NULL;
    }
}

#endif
