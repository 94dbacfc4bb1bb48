#ifndef TESTS_UNIT_OPTIMIZER_LINES_H
#define TESTS_UNIT_OPTIMIZER_LINES_H
#include "ir/simulate.h"
#include "optimizer/counters/scope.h"
#include "tests/unit/optimizer_test.h"
#include <math.h>

/* Closed forms of the memory counters against the counting simulator. */

enum { LINES_WARP = 32 };

/* A point at which a kernel is simulated. */
struct lines_point {
    const union value *params;
    int64_t line;                      /* bytes */
};

/* How a value compares. */
struct comparison {
    bool valued;                       /* it has a value here */
    enum exactness exactness;
    double value;
};

static inline struct comparison value_at(const struct counter_value *value,
                                         const struct kernel *kernel, struct lines_point at)
{
    struct comparison none = {0};
    int64_t point[RING_CAPACITY] = {0}, numerator, denominator;
    if (value->count == 0)
        return none;
    struct ring *ring = poly_ring(value->pieces[0].numerator);
    for (int v = 0; v < ring_count(ring); v++) {
        const char *name = ring_name(ring, v);
        for (int i = 0; i < kernel->n_params; i++)
            if (strcmp(kernel->params[i]->var->name, name) == 0)
                point[v] = at.params[i].integer;
        if (strcmp(name, "W_B") == 0)
            point[v] = LINES_WARP;
        if (strcmp(name, "C_L") == 0)
            point[v] = at.line / 4;
    }
    int piece = counter_value_at(value, point, &numerator, &denominator);
    if (piece < 0 || denominator == 0)
        return none;
    return (struct comparison){true, value->pieces[piece].exactness,
                               (double)numerator / (double)denominator};
}

/* Is what the simulator counted consistent with the value and what it claims? */
static inline bool comparison_holds(struct comparison c, double counted)
{
    double slack = 1e-9 * (1 + fabs(counted));
    switch (c.exactness) {
    case COUNTER_EXACT: return fabs(c.value - counted) <= slack;
    case COUNTER_UPPER: return c.value >= counted - slack;
    case COUNTER_LOWER: return c.value <= counted + slack;
    default: return true;
    }
}

/* Percent of what would be needed; 100 where nothing is. */
static inline double percent_of(int64_t needed, int64_t taken)
{
    return taken ? 100.0 * (double)needed / (double)taken : 100;
}

/* What the simulator says of the four counters, in the order lines, transactions, coalescing,
   banks. */
enum { LINES_COUNTERS = 4 };
static inline void simulation_values(const struct simulation *simulation, double *values)
{
    int64_t ideal = 0, transactions = 0, parts = 0, wavefronts = 0;
    for (size_t i = 0; i < simulation->count; i++) {
        ideal += simulation->accesses[i].ideal;
        transactions += simulation->accesses[i].transactions;
        parts += simulation->accesses[i].parts;
        wavefronts += simulation->accesses[i].wavefronts;
    }
    values[0] = (double)simulation->lines_most;
    values[1] = (double)simulation->transactions_most;
    values[2] = percent_of(ideal, transactions);
    values[3] = percent_of(parts, wavefronts);
}

static const enum counter_symbol LINES_SYMBOLS[LINES_COUNTERS] = {
    COUNTER_LINES, COUNTER_TRANSACTIONS, COUNTER_COALESCING, COUNTER_BANKS};

static inline struct simulation simulate_at(struct ctx *ctx, const struct kernel *kernel,
                                            struct lines_point at, int64_t threads)
{
    struct interpret_array *arrays =
        ARENA_ARRAY(ctx->arena, struct interpret_array, kernel->n_arrays + 1);
    struct simulation none = {.result = {.status = INTERPRET_BUDGET, .message = "no extent"}};
    if (!data_make(ctx, kernel, at.params, arrays))
        return none;
    struct interpret_input input = {.params = at.params, .arrays = arrays, .threads = threads};
    return kernel_simulate(ctx->arena, kernel, &input, (struct simulate_options){.line = at.line});
}

#endif
