#ifndef MAPPER_REPORT_H
#define MAPPER_REPORT_H
#include "mapper/scop/block.h"
#include "mapper/plan/nest.h"

/* Loops by the words that a person calls them, and pairs of accesses in words. */

struct found_loop {
    const struct nest *nest;
    const struct scop_loop *loop;
};
/* What the choice names, scops read and planned, fragments cut; where nothing is marked or chosen,
   every nest of the file. False after a diagnostic. */
bool nests_ask(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice, nest_list *list);
/* The loop that the choice asks about; false after a diagnostic. */
bool loop_named(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
                struct found_loop *loop);

#endif
