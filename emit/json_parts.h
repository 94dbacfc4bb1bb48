#ifndef EMIT_JSON_PARTS_H
#define EMIT_JSON_PARTS_H
#include "ir/access/rows.h"
#include <cjson/cJSON.h>

/* The elements that parts of a launch touch, as a member of tree.json (docs/tree-json.md). */
cJSON *launch_parts_json(struct arena *arena, const struct part_cut *cut);

#endif
