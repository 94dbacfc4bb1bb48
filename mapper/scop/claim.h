#ifndef MAPPER_CLAIM_H
#define MAPPER_CLAIM_H
#include "mapper/scop/scop.h"

/* Conditions on sizes and pointers, which the printed text tests at run time. */

/* claim.c: has the fragment a meaning only where no instance of the domain lies in the set? Then
   the printed text tests that, and it is true; false if no simple condition says so. */
bool scop_claim(struct scop *scop, __isl_keep isl_set *domain, __isl_take isl_set *where);
/* The same of what makes no threads independent, where more conditions will do: the judge, which
   proves that they are, knows no quotients. */
bool scop_claim_place(struct scop *scop, __isl_keep isl_set *domain, __isl_take isl_set *where);
/* The same of an element of a flat array: is its number below 2^32? */
bool scop_claim_number(struct scop *scop, const struct scop_access *access);
/* The same of the blocks in the rows of a flat array: do rows hold them? */
void scop_claim_blocks(struct scop *scop, const struct flat_blocks *blocks);
/* The test as an expression of C; NULL if there is none. */
char *scop_claims_text(struct scop *scop);
/* alias.c: arrays that may overlap; false after a refusal if that cannot be tested at run
   time. */
bool scop_find_overlaps(struct scop *scop);
/* alias.c: the type of an array's elements, without qualifiers and without typedefs. */
const struct ast_type *element_type(const struct scop_array *array);
/* alias.c: may C access one object by the types of both arrays' elements? */
bool element_types_meet(const struct scop_array *a, const struct scop_array *b);
/* alias.c: the addresses between which the fragment touches an array, as expressions of C: where
   each range begins, and behind its end. The number of ranges, at most `most`; below 0 if one is
   unknown, with the access in `open`. */
int array_ends(struct scop *scop, const struct scop_array *array, int most,
               const char *(*ends)[2], const struct ast **open);
/* The test as an expression of C: do they lie apart? NULL if none may overlap. */
char *scop_apart_text(struct scop *scop);

#endif
