/* What the tree asks of coalescing.

   In: a kernel. Out: one test, C_T * lines <= 100 * ideal, of warps that lie along the last axis of
   their band, each in one row that may begin anywhere in a line. The reported value
   (transactions.c) looks at the block's shape and at alignment besides; but no rewrite changes
   these, and with them the test would be one of rounded quotients, of which nothing can be proved.
   A kernel of strided bands is the last resort: no test. A reference's share of a line:
   neighbouring threads are `step` elements apart and take `width` each, so a line that is fetched
   is used to width/step, and at least for one thread: 1 where the step is at most the width, the
   elements of a line over the width where a parameter is stepped over or the place is not affine.
   References are weighed by their bytes, those in loops more, LOOP_WEIGHT times for each loop (as
   remap does): mean of 1/share <= 100/C_T. To each comes the line that an instruction begins in the
   middle of, of W_B * width elements in all: half of what scalars of 4 bytes fetch, a fifth of what
   vectors do. The test is multiplied by W_B. Of copies with two forms (vector.c) the aligned
   one counts. */
#include "optimizer/counters/scope.h"
#include "optimizer/counters/warp.h"
#include <stdlib.h>

enum { LOOP_WEIGHT = 8, LOOPS_MOST = 4, LINE_BYTES_LEAST = 64 };

/* Lines that are fetched for each line's worth of data, at the most, from the line's begin on. */
static const struct poly *fetched_rows(struct scope *scope, const struct list_access *access,
                                       const struct poly *line)
{
    const struct poly *one = poly_integer(scope->ring, 1),
                      *most = poly_scale(line, 1, (int64_t)access->bytes * access->width);
    int64_t step, extent;
    int last = access->n_axes - 1;
    while (last > 0 && access->axes[last].extent &&
           poly_get_integer(access->axes[last].extent, &extent) && extent == 1)
        last--;
    if (last < 0)
        return one;
    const struct poly *coefficient = access->axes[last].coefficient;
    if (!coefficient || !poly_get_integer(coefficient, &step) ||
        llabs(step) * access->bytes > LINE_BYTES_LEAST)
        return most;
    return llabs(step) > access->width ? poly_rational(scope->ring, llabs(step), access->width)
                                       : one;
}

/* The same for rows that may begin anywhere in a line, times W_B. */
static const struct poly *fetched(struct scope *scope, const struct list_access *access,
                                  const struct poly *line, const struct poly *warp)
{
    const struct poly *begun = poly_scale(line, 1, (int64_t)access->bytes * access->width);
    return poly_add(poly_mul(warp, fetched_rows(scope, access, line)), begun);
}

static const struct counter_goal *goal_make(struct scope *scope)
{
    struct arena *arena = scope->store->ctx->arena;
    struct counter_goal *goal = ARENA_NEW(arena, struct counter_goal);
    const struct poly *line = scope_line(scope), *warp = scope_machine(scope, "W_B");
    const struct poly *target = store_target(scope->store, COUNTER_COALESCING);
    const struct list_access *list;
    struct scope own = scope_new(scope->store, scope->kernel, COUNTER_COUNT);
    size_t count = scope_accesses(&own, &list);
    if (!line || !warp || !target)
        return NULL;
    const struct poly *sum = poly_integer(scope->ring, 0);
    int64_t weights = 0;
    for (size_t i = 0; i < count; i++) {
        if (list[i].reference.array->space != SPACE_GLOBAL || list[i].branch_negated)
            continue;
        int64_t weight = list[i].bytes;
        for (int k = 0; k < list[i].n_loops && k < LOOPS_MOST; k++)
            weight *= LOOP_WEIGHT;
        weights += weight;
        sum = poly_add(sum, poly_scale(fetched(scope, &list[i], line, warp), weight, 1));
    }
    if (weights == 0)
        return goal;
    const struct poly **key = ARENA_ARRAY(arena, const struct poly *, 1);
    struct counter_test *test = ARENA_NEW(arena, struct counter_test);
    key[0] = poly_scale(sum, 1, weights);
    struct constraint accept = constraint_make(poly_mul(target, sum), RELATION_LE,
                                               poly_scale(warp, 100 * weights, 1));
    *test = (struct counter_test){0, accept, 1, key};
    goal->count = 1;
    goal->tests = test;
    goal->slots = scope_slots(scope);
    goal->n_auxiliary = (size_t)goal->slots.count;
    goal->auxiliaries = scope_integers(scope);
    return goal;
}

struct counter_value counter_coalescing(struct store *store, const struct kernel *kernel)
{
    struct counter_value value = coalescing_reported(store, kernel);
    struct scope scope = scope_new(store, kernel, COUNTER_COALESCING);
    if (scope.is_private)
        return value;
    value.goal = kernel_all_strided(kernel) ? ARENA_NEW(store->ctx->arena, struct counter_goal)
                                            : goal_make(&scope);
    return value.goal ? value : scope_none("there is no room for the parameters of the target");
}
