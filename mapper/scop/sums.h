#ifndef MAPPER_SUMS_H
#define MAPPER_SUMS_H
#include "ir/reduce.h"
#include "mapper/scop/extract.h"

/* Sums over iterations: `s += e`, `if (e > m) m = e;` and their like. */

/* The accumulations of a statement that is about to be read, of which sum_of knows the elements. */
void sums_collect(struct extraction *e, const struct ast *statement);
/* The operator of the accumulation that a node is the element of; REDUCE_NONE: of none. */
enum reduce_op sum_of(const struct extraction *e, const struct ast *node);
/* Does the node accumulate by one atomic operation, so that any iterations may meet in it? */
bool sum_is_atomic(const struct extraction *e, const struct ast *node);
/* Marks the accesses of a statement that has been read: those of an array or scalar that the
   statement only accumulates in, by one operator. */
void sums_mark(const struct extraction *e, struct scop_stmt *stmt);

/* The type of an array's elements, or of a scalar; TYPE_COUNT if no sum has such a type. */
enum type sum_type(const struct scop_array *array);
/* Does a sum of the array by the operator have the same result in every order? */
bool sum_is_exact(const struct scop_array *array, enum reduce_op reduction);
/* May iterations accumulate in an array or scalar of the scop in any order? */
bool scop_has_sums(const struct scop *scop);

#endif
