#ifndef IR_FOLD_H
#define IR_FOLD_H
#include "ir/expr.h"

/* C's arithmetic on constants; values in the representation of type_wrap. */

/* a op b for operands of `type` (a shift's count may be of any integer type). False where the
   result is undefined (division by zero, least value / -1, shift count outside the width); signed
   overflow wraps. */
bool fold_binary(enum op op, enum type type, int64_t a, int64_t b, int64_t *result);
int64_t fold_unary(enum op op, enum type type, int64_t a);
/* Truncation towards zero; false if the value does not fit in `type`. */
bool fold_real_to_integer(enum type type, double x, int64_t *result);
/* The nearest value of a floating type. */
double real_round(enum type type, double x);
double fold_integer_to_real(enum type from, enum type to, int64_t a);

#endif
