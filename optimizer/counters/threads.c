/* Threads per block: the product of the block extents, exact. A kernel of strided bands runs with
   any number of threads: it needs one. */
#include "optimizer/store.h"

struct counter_value counter_threads(struct store *store, const struct kernel *kernel)
{
    if (kernel_all_strided(kernel))
        return value_constant(store, 1, COUNTER_EXACT);
    const struct poly *threads = kernel_threads(kernel);
    if (!threads) {
        diag_error(store->ctx, store->space->region->loc,
                   "the number of threads per block is no polynomial in the parameters");
        return (struct counter_value){.count = 0};
    }
    return value_poly(store, threads, COUNTER_EXACT);
}
