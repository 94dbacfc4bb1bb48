#ifndef MAPPER_INLINE_H
#define MAPPER_INLINE_H
#include "mapper/forms/choice.h"
#include "mapper/plan/nest.h"

/* The file with the calls in what is chosen as the loops of the functions that they call, read
   again; the unit itself, which no form has changed yet, where there are none. Calls that stay are
   noted in the unit (`kept_calls`). */
struct ast_unit *calls_inline(struct ctx *ctx, struct ast_unit *unit,
                              const struct map_choice *choice);
/* Says of the calls that stay why, but of those that a nest's threads have, and of those whose
   refusal is a nest's. */
void calls_refuse(struct ctx *ctx, const struct ast_unit *unit, const nest_list *nests,
                  bool as_errors);

#endif
