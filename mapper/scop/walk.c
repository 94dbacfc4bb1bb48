/* A walk over all accesses of an array.

   In: a scop and one of the scop's arrays. Out: the array's accesses one by one, in the order of
   the statements, within a statement in the order of the text. The caller may change a found
   access, also the access's array. */
#include "mapper/scop/walk.h"

struct scop_access *access_next(struct access_walk *walk)
{
    for (; walk->n_stmts < walk->scop->stmts.count; walk->n_stmts++) {
        walk->stmt = walk->scop->stmts.at[walk->n_stmts];
        while (walk->n_accesses < walk->stmt->accesses.count) {
            struct scop_access *access = &walk->stmt->accesses.at[walk->n_accesses++];
            if (access->array == walk->array)
                return access;
        }
        walk->n_accesses = 0;
    }
    return NULL;
}

struct scop_access *access_first(struct access_walk *walk, const struct scop *scop,
                                 const struct scop_array *array)
{
    *walk = (struct access_walk){.scop = scop, .array = array};
    return access_next(walk);
}

bool array_is_unsure(const struct scop *scop, const struct scop_array *array)
{
    struct access_walk walk;
    const struct scop_access *access = access_first(&walk, scop, array);
    while (access && !access->is_may)
        access = access_next(&walk);
    return access != NULL;
}
