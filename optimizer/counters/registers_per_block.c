/* Registers per block: 4*w*q*b with w the warp size, q = ceil(threads/(4*w)) and b the budget per
   thread; the 4 is the number of register partitions of a multiprocessor, Q_B here. A
   multiprocessor hands out registers to whole warps in steps of 8 per thread, spread over its
   partitions, hence the roundings. b = max(24, ceil8(r)) of the estimate r; a constant where r is
   one, else an auxiliary integer, which the solver relaxes to its bounds; where r at the least
   tunables needs more than 24, that is its floor. A kernel of strided bands takes whatever block
   the limit allows: it needs nothing.
   Source: design, "Registers". */
#include "optimizer/counters/scope.h"

enum { BUDGET_LEAST = 24, BUDGET_STEP = 8 };

static int64_t budget_of(int64_t registers)
{
    int64_t rounded = (registers + BUDGET_STEP - 1) / BUDGET_STEP * BUDGET_STEP;
    return rounded < BUDGET_LEAST ? BUDGET_LEAST : rounded;
}

/* The least value of r, whose variables are tunables, at their lower bounds; 0 if a coefficient
   is negative. */
static int64_t registers_least(const struct poly *r)
{
    int64_t ones[RING_CAPACITY], numerator, denominator, value;
    unsigned exponents[RING_CAPACITY];
    for (int v = 0; v < RING_CAPACITY; v++)
        ones[v] = 1;
    for (size_t i = 0; i < poly_terms(r); i++) {
        bool is_constant = true;
        if (!poly_term(r, i, &numerator, &denominator, exponents))
            return 0;
        for (int v = 0; v < RING_CAPACITY; v++)
            is_constant &= exponents[v] == 0;
        if (numerator < 0 && !is_constant)
            return 0;
    }
    return poly_evaluate(r, ones, &value) && value > 0 ? value : 0;
}

const struct poly *scope_moved(const struct scope *scope, const struct poly *p)
{
    const char *error = NULL;
    if (!p || poly_ring(p) == scope->ring)
        return p;
    if (!scope->is_private)
        return space_poly(scope->store->space, p);
    return poly_read(scope->ring, poly_text(ring_arena(scope->ring), p), &error);
}

const struct poly *scope_budget(struct scope *scope)
{
    const struct poly *estimate = registers_estimate(scope->store, scope->kernel),
                      *r = scope_moved(scope, estimate);
    int64_t constant;
    if (!r)
        return NULL;
    if (poly_get_integer(r, &constant))
        return poly_integer(scope->ring, budget_of(constant));
    int64_t least = registers_least(r);
    struct auxiliary definition = {.numerator = r,
                                   .denominator = poly_integer(scope->ring, 1),
                                   .multiple = BUDGET_STEP,
                                   .floor = budget_of(least),
                                   .least = least};
    return scope_auxiliary(scope, "b", &definition);
}

struct counter_value counter_registers_per_block(struct store *store, const struct kernel *kernel)
{
    if (kernel_all_strided(kernel))
        return value_constant(store, 0, COUNTER_EXACT);
    const struct counter_value none = {.count = 0};
    struct scope scope = scope_new(store, kernel, COUNTER_REGISTERS_PER_BLOCK);
    const struct poly *threads = scope_moved(&scope, kernel_threads(kernel)),
                      *b = threads ? scope_budget(&scope) : NULL;
    const struct poly *w = scope_machine(&scope, "W_B"), *partitions = scope_machine(&scope, "Q_B");
    const struct poly *group = w && partitions ? poly_mul(partitions, w) : NULL;
    struct auxiliary groups = {.numerator = threads,
                               .denominator = group,
                               .multiple = 1,
                               .floor = 1,
                               .least = 1};
    const struct poly *q = b && group ? scope_auxiliary(&scope, "q", &groups) : NULL;
    if (!q && scope.reason)
        diag_error(store->ctx, store->space->region->loc, "%s in one region", scope.reason);
    if (!q)
        return none;
    struct counter_piece *piece = ARENA_NEW(store->ctx->arena, struct counter_piece);
    const struct poly **keys = ARENA_ARRAY(store->ctx->arena, const struct poly *, 2);
    *piece = (struct counter_piece){sas_empty(scope.ring), poly_mul(poly_mul(group, q), b), NULL,
                                    COUNTER_ESTIMATE};
    struct counter_value result = scope_value(&scope, 1, piece);
    keys[0] = threads;
    keys[1] = registers_estimate(store, kernel);
    result.n_keys = 2;
    result.keys = keys;
    return result;
}
