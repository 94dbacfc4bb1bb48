#ifndef MAPPER_SETS_H
#define MAPPER_SETS_H
#include "mapper/scop/scop.h"

/* Statements and accesses as sets and relations of isl. */

/* Domains of statements, and relations of their accesses; false after a refusal. */
bool scop_sets(struct scop *scop);
/* Makes the relations of accesses without one, for example of accesses that a change added; false
   after a refusal. */
bool scop_relations(struct scop *scop);
/* The iterations of loops. */
__isl_give isl_set *loops_set(const struct scop *scop, struct scop_place at);
/* That of an access without alternatives, at the instances of the domain; a flat one
   whose digits do not hold there is not affine from then on. */
__isl_give isl_map *relation_make(struct scop *scop, const struct scop_stmt *stmt,
                                  __isl_keep isl_set *domain, struct scop_access *access);
/* Is the form above 0 wherever the loops run? */
bool loops_imply_positive(const struct scop *scop, struct scop_place at, const struct affine *form);
/* isl objects that live as long as the arena. */
isl_set *scop_keep_set(struct scop *scop, __isl_take isl_set *set);
isl_map *scop_keep_map(struct scop *scop, __isl_take isl_map *map);

#endif
