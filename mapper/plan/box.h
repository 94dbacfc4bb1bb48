#ifndef MAPPER_BOX_H
#define MAPPER_BOX_H
#include "mapper/plan/plan.h"

/* Bounds: of grids, of forms over loops, of what accesses touch. */

/* A loop that is the axis in the part. */
const struct scop_loop *region_loop(const struct plan_region *region, int part, int axis);
/* The boxes of a region's axes; false if two members' boxes do not differ by constants. */
bool region_box(const struct scop *scop, int depth, struct plan_region *region);
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
/* The form with every iterator of the loops from `depth` on at its bound; false on
   overflow. */
bool affine_bound(const struct scop *scop, int depth, const struct affine *form, bool upper,
                  struct affine *out);
/* What an equality says of dimension `at`; false if that is no whole form. */
struct isl_constraint;
bool constraint_bound(const struct scop *scop, const struct scop_stmt *stmt,
                      __isl_keep struct isl_constraint *constraint, int at, struct affine *bound);
/* Bounds of the first subscripts of the elements that an access touches, over parameters;
   false if there are none. */
bool relation_rows(const struct scop *scop, const struct scop_access *access, struct affine *first,
                   struct affine *last);
/* The form with another loop's iterator in place of one's; false on overflow. */
bool iterator_replace(struct affine *form, const struct scop_loop *from,
                      const struct scop_loop *to);
/* Widens a bound to another that differs by a constant; false if it differs otherwise. */
bool bound_join(struct affine *bound, const struct affine *other, bool upper);

#endif
