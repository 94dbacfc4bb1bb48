#ifndef OPTIMIZER_COUNTER_H
#define OPTIMIZER_COUNTER_H
#include "ir/kernel.h"

/* Counters: quantities of a kernel that the tree forks on. One row in optimizer/counter.def and one file in
   optimizer/counters/ each. */

enum exactness { COUNTER_EXACT, COUNTER_UPPER, COUNTER_LOWER, COUNTER_ESTIMATE, COUNTER_MEASURED, COUNTER_INJECTED };
const char *exactness_name(enum exactness exactness);

/* Where `guard` holds the counter is numerator / denominator (denominator NULL = 1, else positive). */
struct counter_piece {
    struct sas guard;
    const struct poly *numerator, *denominator;
    enum exactness exactness;
};
struct counter_value {
    size_t count;                       /* 0: could not be evaluated (a diagnostic was given) */
    const struct counter_piece *pieces;
    /* bounded auxiliary integers of the value: name and defining C expression, e.g. q, "ceil(B/(4*W_B))" */
    size_t n_auxiliary;
    const char *const *auxiliary_names;
    const char *const *auxiliary_texts;
};

struct optimizer;

struct counter {
    const char *name;                   /* "registers" */
    const char *json;                   /* "registers_per_thread" */
    const char *unit;
    const char *limit;                  /* machine parameter: "R_B" */
    bool is_resource;
    struct counter_value (*evaluate)(struct optimizer *optimizer, const struct kernel *kernel);
};

#endif
