#ifndef MAPPER_HELPER_H
#define MAPPER_HELPER_H
#include "mapper/scop/scop.h"

/* Functions that statements call, read in the place of the call. */

/* The argument that a parameter of a function being read stands for; the place becomes that of the
   argument, in the caller. NULL, and no change, for another variable, or for a parameter that the
   function changes. */
const struct ast *helper_argument(const struct ast *decl, struct scop_place *at);
/* The element that an element means: of an array that is a parameter of functions being read, the
   caller's; *is_place: by a pointer into that. */
const struct ast *helper_element(struct arena *arena, const struct scop_frame *frame,
                                 const struct ast *index, bool *is_place);
/* The value of a function that is one `return`, in whose place the call stands; the place becomes
   that of the value, in the function. NULL, and no change, for other functions. */
const struct ast *helper_enter(struct scop *scop, const struct ast *call, struct scop_place *at);

#endif
