#ifndef MAPPER_WALK_H
#define MAPPER_WALK_H
#include "mapper/scop/scop.h"

/* All accesses of an array. */

/* The accesses of an array, in the order of the statements; NULL behind the last one. */
struct access_walk {
    const struct scop *scop;
    const struct scop_array *array;
    struct scop_stmt *stmt;          /* whose access was found last */
    size_t n_stmts, n_accesses;      /* walked over */
};
struct scop_access *access_first(struct access_walk *walk, const struct scop *scop,
                                 const struct scop_array *array);
struct scop_access *access_next(struct access_walk *walk);
/* Does a statement write to it perhaps? */
bool array_is_unsure(const struct scop *scop, const struct scop_array *array);

#endif
