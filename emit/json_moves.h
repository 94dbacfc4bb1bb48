#ifndef EMIT_JSON_MOVES_H
#define EMIT_JSON_MOVES_H
#include "optimizer/moves.h"
#include <cjson/cJSON.h>

/* Lines and words of a leaf's launches as members of tree.json (docs/tree-json.md). */

cJSON *leaf_moves_json(struct arena *arena, const struct leaf_moves *moves);
cJSON *launch_moves_json(struct arena *arena, const struct launch_moves *launch);

#endif
