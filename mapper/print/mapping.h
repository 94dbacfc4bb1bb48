#ifndef MAPPER_MAPPING_H
#define MAPPER_MAPPING_H
#include "mapper/mapper.h"
#include "mapper/plan/plan.h"

/* The fragments of one file that are mapped. */
struct plain_file {
    struct arena *arena;
    const struct source *source;
    const struct ast_unit *unit;     /* that the source was parsed into */
    fragment_list fragments;         /* by place */
    VEC(struct schedule *) plans;
    VEC(struct ast_pragma) pragmas;  /* that the mapped text is without */
};

#endif
