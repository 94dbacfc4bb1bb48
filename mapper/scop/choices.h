#ifndef MAPPER_CHOICES_H
#define MAPPER_CHOICES_H
#include "mapper/scop/scop.h"

/* Subscripts that are affine in pieces, by the choices that `?:` and remainders make in them. */

/* The form of `?:` or of a remainder in a subscript under the choices of the place; false for
   another expression, or after too many choices. */
bool choice_read(struct scop *scop, struct scop_place at, const struct ast *ast,
                 struct affine *out);
/* Is the expression a remainder with a choice for each value? */
bool is_remainder(const struct ast *ast);
/* The next way to make the choices; false behind the last one. */
bool choices_step(struct choice_list *list);
/* Where in a set of instances of the place its choices hold: everywhere if it has none. */
__isl_give isl_set *choices_restrict(struct scop *scop, struct scop_place at,
                                     __isl_take isl_set *set);
/* The union of the alternatives' relations. Where they leave open what is touched
   the access has none from then on, and touches any element. */
__isl_give isl_map *alternatives_relation(struct scop *scop, const struct scop_stmt *stmt,
                                          struct scop_access *access);
/* A subscript, or that of the first alternative; NULL if it is not affine. */
const struct affine *access_form(const struct scop_access *access, int dim);

#endif
