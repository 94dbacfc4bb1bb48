#ifndef MAPPER_RANGE_H
#define MAPPER_RANGE_H
#include "mapper/scop/scop.h"

/* Unsigned expressions that must not wrap. */

/* Signed, of any width? */
bool class_is_signed(enum ast_class class);
/* Unsigned, of 32 or 64 bits? */
bool class_is_unsigned(enum ast_class class);
/* The expression was read as the form, which must have a value of the unsigned class. */
void range_add(struct scop *scop, struct scop_place at, const struct ast *ast, enum ast_class class,
               const struct affine *form);
/* False after a refusal: an expression may wrap. Subscripts that may are no more affine. */
bool scop_ranges(struct scop *scop);

#endif
