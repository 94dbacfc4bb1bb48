#ifndef IR_REDUCE_H
#define IR_REDUCE_H
#include "ir/expr.h"

/* The operators of accumulating stores (ir/reduction.def), for those who ask of types alone. */

enum reduce_op {
    REDUCE_NONE,
#define X(NAME, text, atomic) REDUCE_##NAME,
#include "ir/reduction.def"
#undef X
    REDUCE_COUNT
};

/* "+", "min", …; the operator of a text, REDUCE_NONE if it is none. */
const char *reduction_text(enum reduce_op reduction);
enum reduce_op reduction_find(const char *text, size_t length);
/* Is it an operation on elements of the type at all? With the same result in every order (but for
   which of two equal zeros an extreme of floating numbers is)? As one atomic operation in every
   language that kernels are printed in? */
bool reduction_applies(enum reduce_op reduction, enum type type);
bool reduction_is_exact(enum reduce_op reduction, enum type type);
bool reduction_is_atomic(enum reduce_op reduction, enum type type);

/* Blocks along the only axis of a grid that sums lack, and where blocks have arrays of their own in
   the place of those that they walk over. */
enum { SUM_BLOCKS_ALONE = 1024, SUM_WALKS_MOST = 128 };

#endif
