#ifndef MAPPER_POINT_H
#define MAPPER_POINT_H
#include "mapper/plan/plan.h"

/* Members of a region that run at a point of an axis. */

/* May the lesser region's members run at points of the other one's axes? `are_ends`: they begin or
   end its sums. */
bool points_allow(const struct scop *scop, int depth, const struct plan_region *lesser,
                  const struct plan_region *greater, bool are_ends);
/* The value of an axis of the greater region, whose boxes are known, at which a member of
   the lesser one may run; false if there is none. */
bool point_find(const struct scop *scop, const struct plan_place *place,
                const struct plan_member *member, const struct plan_region *greater, int axis,
                struct affine *value);
/* Is the member's value of the axis in the box, which is widened by constants, wherever
   the member runs? */
bool point_fits(struct scop *scop, const struct plan_member *member, int axis,
                struct plan_axis *box);
/* Are two forms, over loops of the statement at an end of the edge, equal in all pairs (`or_less`:
   or the first of them less)? */
bool edge_is_at(const struct scop *scop, const struct scop_edge *edge, bool at_end, bool or_less,
                const struct affine *value, const struct affine *other);

#endif
