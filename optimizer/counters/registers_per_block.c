/* Registers per block: 4*w*q*b with w the warp size, q = ceil(threads/(4*w)) and b the budget per thread; the 4 is the
   number of register partitions of a multiprocessor, Q_B here. A multiprocessor hands out registers to whole warps in steps of 8
   per thread, spread over its partitions, hence the roundings.
   b = max(24, ceil8(r)) of the estimate r; a constant where r is one, else an auxiliary integer, which the solver relaxes
   to its bounds; where r at the least tunables needs more than 24, that is its floor.
   A kernel of strided bands takes whatever block the limit allows: it needs nothing.
   Source: design, "Registers". */
#include "optimizer/optimizer.h"

enum { BUDGET_LEAST = 24, BUDGET_STEP = 8 };

static int64_t budget_of(int64_t registers)
{
    int64_t rounded = (registers + BUDGET_STEP - 1) / BUDGET_STEP * BUDGET_STEP;
    return rounded < BUDGET_LEAST ? BUDGET_LEAST : rounded;
}

/* The least value of r, whose variables are tunables, at their lower bounds; 0 if a coefficient is negative. */
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

/* The budget as a polynomial; the auxiliary integer it uses, if any, in *auxiliary. NULL after a diagnostic. */
static const struct poly *budget(struct optimizer *optimizer, const struct poly *r, const struct auxiliary **auxiliary)
{
    int64_t constant, least = registers_least(r);
    *auxiliary = NULL;
    if (poly_get_integer(r, &constant))
        return poly_integer(optimizer->ring, budget_of(constant));
    struct auxiliary definition = {.numerator = r, .denominator = poly_integer(optimizer->ring, 1), .multiple = BUDGET_STEP,
                                   .floor = budget_of(least), .least = least};
    *auxiliary = optimizer_auxiliary(optimizer, "b", &definition);
    return *auxiliary ? poly_variable(optimizer->ring, (*auxiliary)->variable) : NULL;
}

struct counter_value counter_registers_per_block(struct optimizer *optimizer, const struct kernel *kernel)
{
    struct arena *arena = optimizer->ctx->arena;
    if (kernel_all_strided(kernel))
        return value_constant(optimizer, 0, COUNTER_EXACT);
    const struct counter_value none = {.count = 0};
    const struct auxiliary *b, *q;
    const struct poly *threads = kernel_threads(kernel), *r = registers_estimate(optimizer, kernel);
    const struct poly *per_thread = threads && r ? budget(optimizer, r, &b) : NULL;
    if (!per_thread)
        return none;
    const struct poly *w = poly_variable(optimizer->ring, optimizer_machine(optimizer, "W_B"));
    const struct poly *group = poly_mul(poly_variable(optimizer->ring, optimizer_machine(optimizer, "Q_B")), w);
    struct auxiliary groups = {.numerator = threads, .denominator = group, .multiple = 1, .floor = 1, .least = 1};
    q = optimizer_auxiliary(optimizer, "q", &groups);
    if (!q)
        return none;
    const struct poly *value = poly_mul(poly_mul(group, poly_variable(optimizer->ring, q->variable)), per_thread);
    struct counter_value result = value_poly(optimizer, value, COUNTER_ESTIMATE);
    const struct auxiliary **auxiliaries = ARENA_ARRAY(arena, const struct auxiliary *, 2);
    const struct poly **keys = ARENA_ARRAY(arena, const struct poly *, 2);
    auxiliaries[result.n_auxiliary++] = q;
    if (b)
        auxiliaries[result.n_auxiliary++] = b;
    keys[0] = threads;
    keys[1] = r;
    result.auxiliaries = auxiliaries;
    result.n_keys = 2;
    result.keys = keys;
    return result;
}
