#ifndef IR_FUNCTION_H
#define IR_FUNCTION_H
#include "ir/expr.h"

/* A function that kernels may call, one of the rows of ir/function.def in one of its types. */
struct function_row {
    const char *name;       /* "sqrtf" */
    enum type type;         /* of the result and of every argument but the int of reali, singlei */
    int n_arguments;
    bool is_of_library;     /* each device's library has last bits of its own */
    double (*real1)(double);
    double (*real2)(double, double);
    double (*real3)(double, double, double);
    double (*reali)(double, int);
    float (*single1)(float);
    float (*single2)(float, float);
    float (*single3)(float, float, float);
    float (*singlei)(float, int);
};

/* NULL if kernels may not call it. */
const struct function_row *function_find(const char *name);
/* The type of an argument, counted from 0. */
enum type function_argument(const struct function_row *row, int argument);

/* What regions compute by other means, a row of ir/library.def. */
enum library_kind {
    LIBRARY_INFINITE,       /* INFINITY, HUGE_VAL */
    LIBRARY_NOT_A_NUMBER,
    LIBRARY_IS_NAN,
    LIBRARY_IS_FINITE,
    LIBRARY_IS_INFINITE,    /* 1 or -1 */
    LIBRARY_SIGN_BIT,
    LIBRARY_ROUNDED         /* an integer, of the value that `by` rounds */
};
struct library_row {
    const char *name;
    enum library_kind kind;
    const char *by;
};
/* NULL if it is none. */
const struct library_row *library_find(const char *name);

#endif
