#ifndef MAPPER_INLINE_H
#define MAPPER_INLINE_H
#include "mapper/forms/choice.h"
#include "mapper/plan/nest.h"

/* The file with the calls in what is chosen as the loops of the functions that they call, read
   again; the unit itself, which no form has changed yet, where there are none. Calls that stay are
   noted in the unit (`kept_calls`). */
struct ast_unit *calls_inline(struct ctx *ctx, struct ast_unit *unit,
                              const struct map_choice *choice);

#endif
