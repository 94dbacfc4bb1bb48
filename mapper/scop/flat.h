#ifndef MAPPER_FLAT_H
#define MAPPER_FLAT_H
#include "mapper/scop/scop.h"

/* Flat subscripts as digits. */

/* A subscript as a sum of products; NULL for a subscript of another form. */
struct pitch_sum *flat_read(struct scop *scop, struct scop_place at, const struct ast *subscript);
/* The pitches of flat arrays, and the digits of accesses to them in place of subscripts. */
void flat_split(struct scop *scop);
/* The exclusive upper bound of a digit; digits count from 1. */
struct affine flat_bound(const struct scop_array *array, int digit);
/* "n * m": elements from row to row. */
char *flat_pitch_text(const struct scop *scop, const struct scop_array *array);

#endif
