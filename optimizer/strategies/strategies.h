#ifndef OPTIMIZER_STRATEGIES_STRATEGIES_H
#define OPTIMIZER_STRATEGIES_STRATEGIES_H
#include "base/vec.h"
#include "ir/access/access.h"

/* The rewrites behind the rows of strategy.def; each makes a new kernel with the same output (spec C-09). */

/* All redistributable loops to the grid. */
const struct kernel *strategy_granularity(struct ctx *ctx, const struct kernel *kernel);

/* What a kernel keeps where. */
struct placement_options {
    bool stage;             /* arrays of cache(...) in shared memory */
    bool promote;           /* accumulators in registers */
    bool promote_symbolic;  /* also where the private array's size is a parameter */
};
/* Staging, promotion and the barriers between bands, in one pass over the banded kernel. */
const struct kernel *strategy_place(struct ctx *ctx, const struct kernel *kernel, struct placement_options options);
/* All bands strided, so that any number of threads runs the kernel; nothing staged, nothing promoted. */
const struct kernel *strategy_stride(struct ctx *ctx, const struct kernel *kernel);
/* Common subexpressions: level 1 in basic blocks, level 2 across control flow and out of loops. */
const struct kernel *strategy_cse(struct ctx *ctx, const struct kernel *kernel, int level);
/* Register-pressure level 1..3, carried out by ir/llvm. */
const struct kernel *strategy_pressure(struct ctx *ctx, const struct kernel *kernel, int level);

#endif
