#ifndef MAPPER_BOUNDS_H
#define MAPPER_BOUNDS_H
#include "mapper/scop/scop.h"

struct isl_constraint;

/* Bounds as affine forms: of forms over loops, of what constraints say, of what accesses touch. */

/* The form with every iterator of the loops from `depth` on at its bound; false on
   overflow. */
bool affine_bound(const struct scop *scop, int depth, const struct affine *form, bool upper,
                  struct affine *out);
/* The bound, over symbols, that a constraint sets to dimension `at` of a statement's instances;
   false if the constraint sets no bound of this side. */
bool constraint_bound(const struct scop *scop, const struct scop_stmt *stmt,
                      __isl_keep struct isl_constraint *constraint, int at, bool upper,
                      struct affine *bound);
/* Bounds of the first subscripts of the elements that an access touches, over parameters: of all of
   them, or of at most `most` parts. The number of parts; 0 if there are no bounds. */
int relation_rows(const struct scop *scop, const struct scop_access *access, int most,
                  struct affine *first, struct affine *last);
/* Widens a bound to another that differs by a constant; false if it differs otherwise. */
bool bound_join(struct affine *bound, const struct affine *other, bool upper);

#endif
