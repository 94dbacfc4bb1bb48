#ifndef MAPPER_SINK_H
#define MAPPER_SINK_H
#include "base/vec.h"
#include "frontend/ast.h"
#include "mapper/scop/fragment.h"

struct map;
struct word_list;

/* Conditions on data that stand around loops of a fragment, as conditions in these loops. */

/* The blocks in place of a fragment's conditions; each reading of the fragment has the same
   nodes. */
struct sinking {
    struct map *blocks;              /* `if` to its block */
    struct word_list *words;
    VEC(const struct ast *) kept;    /* variables for conditions that the whole fragment keeps, as
                                        forms make them (form_variable) */
};

/* A block with the meaning of an `if` of the fragment, whose loops run always; NULL: no counted
   loop stands in it, or none can run where the condition does not hold. */
const struct ast *sunk_block(struct arena *arena, struct ast_unit *unit,
                             const struct fragment *fragment, const struct ast *ast);

#endif
