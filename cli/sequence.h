#ifndef CLI_SEQUENCE_H
#define CLI_SEQUENCE_H
#include "optimizer/moves.h"

/* Which loops of the source share the launches of leaves, in words and as JSON. */

/* The words that a leaf moves, the arrays that vanished, and a line for each launch: lines of the
   source, arrays. `point`: values of the ring's variables, or NULL; `indent`: blanks. */
void sequence_print(struct str *out, const struct leaf_moves *moves, size_t n_launches,
                    const int64_t *point, int indent);
/* The same for the leaves of a tree by id, of which `shown` (NULL: all) says whether they are
   meant; leaves that move the same stand together. Nothing for regions that are no sequence. */
void sequences_print(struct ctx *ctx, struct str *out, const struct tree *tree,
                     const int64_t *point, const bool *shown);
/* "[{"leaf": 1, …}]" of all leaves; NULL for regions that are no sequence. */
const char *sequences_json(struct ctx *ctx, const struct tree *tree, const int64_t *point);

#endif
