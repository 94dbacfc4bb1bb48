#ifndef IR_FUNCTION_H
#define IR_FUNCTION_H
#include "ir/expr.h"

/* A function that kernels may call, one of the rows of ir/function.def in one of its types. */
struct function_row {
    const char *name;       /* "sqrtf" */
    enum type type;         /* of the result and of every argument */
    int n_arguments;
    double (*real1)(double);
    double (*real2)(double, double);
    double (*real3)(double, double, double);
    float (*single1)(float);
    float (*single2)(float, float);
    float (*single3)(float, float, float);
};

/* NULL if kernels may not call it. */
const struct function_row *function_find(const char *name);

#endif
