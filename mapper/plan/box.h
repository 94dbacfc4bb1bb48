#ifndef MAPPER_BOX_H
#define MAPPER_BOX_H
#include "mapper/plan/plan.h"

/* Bounds: of grids, of forms over loops, of what accesses touch. */

/* A loop that is the axis in the part. */
const struct scop_loop *region_loop(const struct plan_region *region, int part, int axis);
/* Counts the places from a bound to another one, and gives 0 where that is not literal. */
int64_t bounds_count(const struct affine *lower, const struct affine *upper, int64_t step);
/* The boxes of a region's axes; false if two members' boxes do not differ by constants, or the box
   has many more points than one. */
bool region_box(struct scop *scop, int depth, struct plan_region *region);
/* The bounds of one loop of a unit, given the host loops and the common loop; false if they
   are not affine. */
bool unit_bounds(const struct scop *scop, const struct scop_unit *unit, int depth, int common,
                 int at, struct affine *lower, struct affine *upper);
/* Is the form, over loops of a member of the part, at least 0 in the whole box? */
bool region_implies(const struct scop *scop, int depth, const struct plan_region *region, int part,
                    const struct affine *form);
/* The form over the common loop and the axes of the part's first member; false on
   overflow. */
bool region_unify(const struct plan_region *region, int part, struct affine *form);
/* The host loops that a region's forms are over, and what stands for such; their number. */
enum { HOSTS_MAX = LOOP_DEPTH_MAX + 2 + 2 * THREAD_AXES_MAX };
int region_hosts(const struct plan_region *region, int depth, const struct scop_loop **loops);
/* The form with another loop's iterator in place of one's; false on overflow. */
bool iterator_replace(struct affine *form, const struct scop_loop *from,
                      const struct scop_loop *to);

#endif
