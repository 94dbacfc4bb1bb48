#ifndef OPTIMIZER_PIPELINE_LATENCY_H
#define OPTIMIZER_PIPELINE_LATENCY_H
#include "ir/kernel.h"

/* Cycles from a result to the next one that waits for it, as a form in latencies: `cycles` and so
   many times that of an addition (L), of shared memory (Y_S) and of global memory (Y_G). */
struct delay {
    int64_t cycles, additions, shared, global;
};

/* The latencies in cycles. Without is_real every assignment takes an addition's, and memory takes
   nothing, as in the paper. */
struct latencies {
    bool is_real;
    int64_t addition, shared, global;
};

int64_t delay_cycles(const struct latencies *latencies, const struct delay *delay);
struct delay delay_sum(const struct delay *a, const struct delay *b);
/* "Y_G + 2 L + 100" */
const char *delay_text(struct arena *arena, const struct delay *delay);

/* From a value that the statement reads, by the reference `load` or from the variable `var` (the
   other one is NULL), to its own result: the longest chain of operations between them, and the wait
   for memory where it is loaded. */
struct delay delay_through(const struct latencies *latencies, const struct stmt *s,
                           const struct expr *load, const struct var *var);

#endif
