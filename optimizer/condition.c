/* Conditions on the parameters under which a kernel may be launched at all: divisibility.

   In:  kernel->divisible. Out: constraints for paths and fits. That c divides e is no inequality; with the bounded auxiliary
   integer d = ceil(e/c) it is c*d <= e, which the dispatcher decides exactly and of which the solver knows
   e <= c*d <= e + c - 1.
   Invariant: e is never negative in the initial system (extents of blocks are positive). */
#include "optimizer/store.h"

static bool condition_make(struct store *store, const struct divisible *fact, struct search_condition *condition)
{
    struct auxiliary definition = {.numerator = fact->value, .denominator = poly_integer(store->ring, fact->divisor),
                                   .multiple = 1};
    const struct auxiliary *d = store_auxiliary(store, "d", &definition);
    if (!d)
        return false;
    const struct poly *rounded = poly_scale(poly_variable(store->ring, d->variable), fact->divisor, 1);
    *condition = (struct search_condition){constraint_make(rounded, RELATION_LE, fact->value), d->facts};
    return true;
}

static bool fact_among(const struct divisible *fact, const struct kernel *kernel)
{
    for (int i = 0; kernel && i < kernel->n_divisible; i++)
        if (kernel->divisible[i].divisor % fact->divisor == 0 && poly_equal(kernel->divisible[i].value, fact->value))
            return true;
    return false;
}

static size_t conditions_make(struct store *store, const struct kernel *kernel, const struct kernel *without,
                              const struct search_condition **conditions)
{
    struct search_condition *made = ARENA_ARRAY(store->ctx->arena, struct search_condition, kernel->n_divisible + 1);
    size_t n = 0;
    for (int i = 0; i < kernel->n_divisible; i++)
        if (!fact_among(&kernel->divisible[i], without))
            n += condition_make(store, &kernel->divisible[i], &made[n]);
    *conditions = made;
    return n;
}

size_t kernel_conditions(struct store *store, const struct kernel *kernel, const struct search_condition **conditions)
{
    return conditions_make(store, kernel, NULL, conditions);
}

size_t strategy_conditions(struct store *store, uint64_t set, int strategy, const struct search_condition **conditions)
{
    struct build *before = kernel_build(store, set, false);
    struct build *after = kernel_build(store, set | (uint64_t)1 << strategy, false);
    return before && after ? conditions_make(store, after->kernel, before->kernel, conditions) : 0;
}
