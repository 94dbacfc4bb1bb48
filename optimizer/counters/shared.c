/* Shared memory: 4-byte words per block, exactly what the tiles allocate. */
#include "optimizer/store.h"

struct counter_value counter_shared(struct store *store, const struct kernel *kernel)
{
    const struct poly *words = kernel_shared_words(kernel);
    if (!words) {
        diag_error(store->ctx, store->space->region->loc,
                   "the shared memory of a block is no polynomial in the parameters");
        return (struct counter_value){.count = 0};
    }
    return value_poly(store, words, COUNTER_EXACT);
}
