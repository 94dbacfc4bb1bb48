#ifndef MAPPER_INLINE_RUNS_H
#define MAPPER_INLINE_RUNS_H
#include "mapper/forms/inlining.h"
#include "mapper/plan/nest.h"

/* Stretches of statements whose calls become loops without marks (inline_runs.c). */

/* A loop, or a statement that calls a function of loops: its bytes, with the semicolon. */
struct inline_part {
    size_t begin, end;
    bool is_call;
    const struct ast *call;          /* of the file; NULL if the part has none, or has several */
    bool is_joined;                  /* it shares a region with another part */
};
struct inline_run {
    VEC(struct inline_part) parts;   /* of one block, by place */
};
typedef VEC(struct inline_run) run_list;

/* inline.c: the unit with the calls of the runs as loops, and the runs where they are in it then;
   the unit itself if there are none. */
struct ast_unit *runs_inline(struct ctx *ctx, struct ast_unit *unit, run_list *runs);
/* inline.c: is it `do … while (0)` around loops or calls of such, as macros write it? */
bool statement_runs_once(struct ctx *ctx, struct ast_unit *unit, const struct ast *statement);
/* The statements of a run, of which only function, body, statements and beginning are set; false if
   there are none. */
bool run_fragment(struct ctx *ctx, struct ast_unit *unit, const struct inline_run *run,
                  struct fragment *fragment);
/* The unit of a file without marks with the calls that let loops share regions as loops. `tells`:
   notes say of other calls why they stay. */
struct ast_unit *calls_inline_all(struct ctx *ctx, struct ast_unit *unit, bool tells);

#endif
