#ifndef MAPPER_MAPPING_H
#define MAPPER_MAPPING_H
#include "mapper/plan/nest.h"
#include "mapper/print/file.h"

/* A file with mapped fragments. */
struct plain_file {
    struct arena *arena;
    const struct source *source;
    const struct ast_unit *unit;     /* that the source was parsed into */
    fragment_list fragments;         /* by place */
    VEC(struct schedule *) plans;
    bool has_loops;                  /* beside regions that may be slower on a processor */
    VEC(struct ast_pragma) pragmas;  /* that the mapped text is without */
};

/* Takes in the nests that have plans; `chosen`: what they are parts of. Where marks have done their
   work, the text is without them (not where the choice is a function). */
struct plain_file *file_make(struct ctx *ctx, const struct ast_unit *unit, const nest_list *nests,
                             const nest_list *chosen, const struct map_choice *choice);

#endif
