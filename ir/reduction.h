#ifndef IR_REDUCTION_H
#define IR_REDUCTION_H
#include "ir/interpret.h"

/* The operators of accumulating stores (ir/reduction.def). */

/* The neutral element of the operator on integers of the type, which changes no element. */
const struct expr *reduction_neutral(struct arena *arena, enum reduce_op reduction,
                                     enum type type);
/* old op value, both of `type`; integers wrap. */
union value reduction_apply(enum reduce_op reduction, enum type type, union value old,
                            union value value);
/* An array in which the kernel accumulates, with a result that depends on the order; NULL if
   there is none. */
const struct array *kernel_inexact_sum(const struct kernel *kernel);

#endif
