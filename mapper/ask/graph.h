#ifndef MAPPER_GRAPH_H
#define MAPPER_GRAPH_H
#include "mapper/plan/nest.h"

/* Functions that graph.c and flow.c share. Texts live in the arena. */

typedef VEC(const struct ast *) function_list;

/* The functions with a body that the choice names, in order. False after a diagnostic. */
bool functions_find(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
                    function_list *list);
void graph_begin(struct str *out, const char *name);
/* The first line of a node's text, cut where it is long. */
const char *graph_text(struct arena *arena, const struct ast_unit *unit, size_t begin, size_t end);
/* Text for a label: lines to the left. */
const char *graph_label(struct arena *arena, const char *text);

#endif
