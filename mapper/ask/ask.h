#ifndef MAPPER_ASK_H
#define MAPPER_ASK_H
#include "base/str.h"
#include "frontend/ast.h"
#include "mapper/forms/choice.h"

/* Questions about plain C. */
struct plain_file;

/* `-d scop`: loops, statements, domains and accesses of each fragment. */
void mapping_print_scops(struct str *out, const struct plain_file *mapping);
/* `-d schedule`: regions and host loops of each fragment, in their order. */
void mapping_print_schedules(struct str *out, const struct plain_file *mapping);

/* Questions about the fragments that the choice names; where it names none and nothing is marked,
   about every loop of the file. False after diagnostics. */

/* Prints each loop with its place, whether the iterations are independent, the loop's role in the
   plan, and the accesses that block the loop. */
bool mapping_list_loops(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                        struct map_choice *choice);
/* Why the loop is not independent: two iterations and the element where they meet. */
bool mapping_explain_loop(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                          struct map_choice *choice);
/* apply.c: the source with the change that the choice requests, if that keeps what it computes. */
bool mapping_apply(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                   struct map_choice *choice);
/* Graphs for Graphviz, of all functions or of the chosen function. */
bool mapping_draw_calls(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                        struct map_choice *choice);
bool mapping_draw_flow(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                       struct map_choice *choice);
bool mapping_draw_dependences(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                              struct map_choice *choice);

#endif
