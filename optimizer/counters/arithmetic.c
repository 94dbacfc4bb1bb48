/* Operations per thread and grid point: all of them, and those on floating-point values. A rational
   function: the operations of a block divided by its threads, which is their mean where a band
   deals out its points unevenly. A product that is added to something is two operations, though one
   instruction. Source: docs/counters.md. */
#include "optimizer/counters/work.h"

static struct counter_value per_thread(struct scope *scope, const struct poly *operations,
                                       bool exact)
{
    const struct poly *threads = work_threads(scope);
    if (!threads)
        return scope_none(scope->reason);
    struct counter_piece *piece = ARENA_NEW(scope->store->ctx->arena, struct counter_piece);
    const struct poly *whole = poly_divide_exact(operations, threads);
    *piece = (struct counter_piece){sas_empty(scope->ring), whole ? whole : operations,
                                    whole ? NULL : threads, exact ? COUNTER_EXACT : COUNTER_UPPER};
    return scope_value(scope, 1, piece);
}

struct counter_value counter_arithmetic(struct store *store, const struct kernel *kernel)
{
    struct scope scope = scope_new(store, kernel, COUNTER_ARITHMETIC);
    struct work work;
    if (!work_count(&scope, &work))
        return scope_none(scope.reason);
    if (work.guessed)
        return scope_none("the rounds of a loop depend on data");
    return per_thread(&scope,
                      poly_add(work.at[WORK_INTEGER],
                               poly_add(work.at[WORK_FLOAT], work.at[WORK_DOUBLE])),
                      work.exact);
}

struct counter_value counter_floating(struct store *store, const struct kernel *kernel)
{
    struct scope scope = scope_new(store, kernel, COUNTER_FLOATING);
    struct work work;
    if (!work_count(&scope, &work))
        return scope_none(scope.reason);
    if (work.guessed)
        return scope_none("the rounds of a loop depend on data");
    return per_thread(&scope, poly_add(work.at[WORK_FLOAT], work.at[WORK_DOUBLE]), work.exact);
}
