#ifndef IR_REDUCTION_H
#define IR_REDUCTION_H
#include "ir/interpret.h"

/* The operators of accumulating stores (ir/reduction.def). */

/* "+", "min", …; the operator of a text, REDUCE_NONE if it is none. */
const char *reduction_text(enum reduce_op reduction);
enum reduce_op reduction_find(const char *text, size_t length);
/* Is it an operation on elements of the type at all? With the same result in every order (but for
   which of two equal zeros an extreme of floating numbers is)? As one atomic operation in every
   language that kernels are printed in? */
bool reduction_applies(enum reduce_op reduction, enum type type);
bool reduction_is_exact(enum reduce_op reduction, enum type type);
bool reduction_is_atomic(enum reduce_op reduction, enum type type);
/* The neutral element of the operator on integers of the type, which changes no element. */
const struct expr *reduction_neutral(struct arena *arena, enum reduce_op reduction,
                                     enum type type);
/* old op value, both of `type`; integers wrap. */
union value reduction_apply(enum reduce_op reduction, enum type type, union value old,
                            union value value);

#endif
