/* Register pressure, levels 1 to 3: a mark that ir/llvm reads when it chooses its passes (spec
   C-25; notes on NVPTX). In: a kernel; out: the same code with the level. The statements do not
   change, so semantics cannot. */
#include "optimizer/strategies/strategies.h"

const struct kernel *strategy_pressure(struct ctx *ctx, const struct kernel *kernel, int level)
{
    struct kernel *marked = kernel_copy(ctx->arena, kernel);
    marked->pressure = level;
    return marked;
}
