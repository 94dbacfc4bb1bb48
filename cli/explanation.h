#ifndef CLI_EXPLANATION_H
#define CLI_EXPLANATION_H
#include "cli/measured.h"
#include "runtime/explanation.h"

/* What a generated program would say of its choice at a point, made from the case tree. `set` has
   the values of parameters; `store`: what was tuned. In the context's arena. False after a
   diagnostic. */
bool explanation_make(struct ctx *ctx, const struct measured_store *store, const struct tree *tree,
                      const struct treefork_machine *machine, const struct assignments *set,
                      struct treefork_explanation *explanation);
/* In the context's arena: treefork_explanation_text, treefork_explanation_json. */
const char *explanation_text(struct ctx *ctx, const struct treefork_explanation *explanation);
const char *explanation_json(struct ctx *ctx, const struct treefork_explanation *explanation);

#endif
