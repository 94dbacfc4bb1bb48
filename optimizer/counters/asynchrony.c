/* The generation of GPUs that a kernel needs: the first one with asynchronous copies where it has
   such, else none; exact. The limit is the architecture of the device, 0 in OpenCL, where such
   copies would be plain ones and only cost memory. */
#include "ir/async.h"
#include "optimizer/space.h"
#include "optimizer/store.h"
#include <string.h>

struct counter_value counter_asynchrony(struct store *store, const struct kernel *kernel)
{
    bool has_async = kernel_has_async(store->ctx->arena, kernel);
    return value_constant(store, has_async ? ASYNC_TARGET : 0, COUNTER_EXACT);
}

bool asynchrony_concerns(const struct search_space *space)
{
    return space_may_stage(space) && strategy_can_stage(space->ctx, space->region->kernel);
}
