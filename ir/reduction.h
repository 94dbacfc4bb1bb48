#ifndef IR_REDUCTION_H
#define IR_REDUCTION_H
#include "ir/interpret.h"

/* The operators of accumulating stores (ir/reduction.def). */

/* The neutral element of the operator on elements of the type, which changes no element: -0.0 of
   floating sums, an infinity of floating minima and maxima. */
const struct expr *reduction_neutral(struct arena *arena, enum reduce_op reduction,
                                     enum type type);
/* The type in which parts of a sum are kept: sums and products of integers are unsigned, since a
   part may leave a signed type where the whole does not. */
enum type reduction_type(enum reduce_op reduction, enum type type);
/* sum op value, both of one type; a minimum or maximum names both twice. */
const struct expr *reduction_join(struct arena *arena, enum reduce_op reduction,
                                  const struct expr *sum, const struct expr *value);
/* old op value, both of `type`; integers wrap. */
union value reduction_apply(enum reduce_op reduction, enum type type, union value old,
                            union value value);
/* An array in which the kernel accumulates, with a result that depends on the order; NULL if
   there is none. */
const struct array *kernel_inexact_sum(const struct kernel *kernel);
/* Does its result depend on the order in which sums are taken, those of single threads included? */
bool kernel_is_inexact(const struct kernel *kernel);

#endif
