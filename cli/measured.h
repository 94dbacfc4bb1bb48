#ifndef CLI_MEASURED_H
#define CLI_MEASURED_H
#include "cli/cli.h"
#include "runtime/explanation.h"

/* The records of the store that was tuned into; read once. In the context's arena. */
struct measured_store;
const struct measured_store *measured_read(struct ctx *ctx);

/* Fills in what was measured of the tree's leaves at the point on the machine. */
void measured_fill(struct ctx *ctx, const struct measured_store *store, const struct tree *tree,
                   const struct treefork_machine *machine, const int64_t *point,
                   struct treefork_explained_leaf *leaves, size_t n_leaves);

#endif
