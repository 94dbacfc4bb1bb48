#ifndef MAPPER_HELPER_H
#define MAPPER_HELPER_H
#include "mapper/scop/scop.h"

/* Functions that statements call, read in the place of the call. */

/* The argument that a parameter of a function being read stands for, in the caller of *frame; NULL
   for another variable, or for a parameter that the function changes. */
const struct ast *helper_argument(const struct scop *scop, const struct ast *decl,
                                  const struct scop_frame **frame);
/* The element that an element means: of an array that is a parameter of functions being read, the
   caller's; *is_place: by a pointer into that. */
const struct ast *helper_element(const struct scop *scop, const struct ast *index, bool *is_place);
/* Is the variable one of the function being read? */
bool helper_owns(const struct scop *scop, const struct ast *decl);
/* The value of a function that is one `return`, in whose place the call stands: it is read after
   helper_enter, which gives NULL for other functions, and before helper_leave. */
const struct ast *helper_enter(struct scop *scop, const struct ast *call,
                               struct scop_frame *frame);
void helper_leave(struct scop *scop);

#endif
