#ifndef MAPPER_REPORT_H
#define MAPPER_REPORT_H
#include "mapper/scop/block.h"
#include "mapper/plan/nest.h"

/* Loops by the words that a person calls them, and pairs of accesses in words. */

struct found_loop {
    const struct nest *nest;
    const struct scop_loop *loop;    /* NULL: the nest is refused */
    const struct ast *ast;
    const char *name;                /* the iterator; NULL where the loop has none */
};
/* The nests of the fragments that the choice names, cut, read and planned; every nest of the file
   if nothing is marked or chosen. False after a diagnostic. */
bool nests_ask(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice, nest_list *list);
/* loops.c: the loop that the choice asks about, by its line, its iterator or both, of the fragments
   that are chosen, else of the file. False after a diagnostic: there is no such loop, there are
   several, or it is refused. */
bool loop_named(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
                struct found_loop *loop);

#endif
