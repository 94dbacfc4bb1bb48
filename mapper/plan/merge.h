#ifndef MAPPER_MERGE_H
#define MAPPER_MERGE_H
#include "mapper/plan/plan.h"

/* Merging of two regions, and the reasons against it. */

/* Ways of two regions to become one: as they stand, if they have two axes or more; with their
   reduced loops as axes; with a block for each row; as they stand; with members of
   the lesser one at points of the greater one's axes. So reduced loops become axes where that
   leaves other regions together. */
enum merge_way { MERGE_PLANES, MERGE_WIDE, MERGE_STRIPS, MERGE_EQUAL, MERGE_POINTS, MERGE_WAYS };

/* A copy of the list in which steps a and b, a before b, are one region; false if they cannot be
   merged in this way. The list keeps its steps. */
bool steps_joined(struct scop *scop, const struct plan_place *place, const plan_list *steps,
                  size_t a, size_t b, enum merge_way way, plan_list *joined);

/* Why two regions cannot be one. */
struct merge_obstacle {
    const char *text;                /* in words, beside the edge if there is one; NULL: none */
    const struct scop_edge *edge;    /* NULL: none is in the way */
    isl_map *pairs;                  /* the pairs of the edge that do not stay at one point */
};
/* The obstacle in the way that comes nearest to be taken. */
struct merge_obstacle regions_obstacle(struct scop *scop, const struct plan_place *place,
                                       const struct plan_region *a, const struct plan_region *b);

#endif
