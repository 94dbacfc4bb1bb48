#ifndef MAPPER_DEPEND_H
#define MAPPER_DEPEND_H
#include "mapper/scop/scop.h"

/* Units, and the edges between their instances. */

/* unit.c: may the host run the statement by itself: under no condition, without names that threads
   declare? */
bool stmt_is_level(const struct scop *scop, const struct scop_stmt *stmt);
/* unit.c: private scalars, then units; false after a refusal. */
bool scop_units(struct scop *scop);
/* depend.c: edges between statements of different units, and of a unit's different instances;
   false after a refusal. */
bool scop_dependences(struct scop *scop);
/* How many loops, from the outermost on, two statements share. */
int shared_loops(const struct scop_stmt *a, const struct scop_stmt *b);
/* Pairs of instances that touch the same element by two accesses, ordered by the loop at `level`
   (from 1) that both statements share. */
__isl_give isl_map *scop_pairs(const struct scop_stmt *from, const struct scop_access *first,
                               const struct scop_stmt *to, const struct scop_access *second,
                               int level);
/* The same in the order in which the source runs them, whatever loop orders them. */
__isl_give isl_map *scop_pairs_before(const struct scop_stmt *from,
                                      const struct scop_access *first, const struct scop_stmt *to,
                                      const struct scop_access *second);
/* Do two accesses of one array accumulate in it by one operator, in an order that is free? */
bool accesses_are_sum(const struct scop_access *first, const struct scop_access *second);
/* Are the instances that an edge orders at equal places of the two loops (depths from 0)? */
bool edge_is_level(const struct scop_edge *edge, int from, int to);

#endif
