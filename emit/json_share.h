#ifndef EMIT_JSON_SHARE_H
#define EMIT_JSON_SHARE_H
#include "base/arena.h"
#include <cjson/cJSON.h>

/* Writes what the leaves of a region share once. `region`: one of tree.json's, everything written
   out. */
void json_share(struct arena *arena, cJSON *region);

#endif
