#ifndef MAPPER_PLAN_ENDS_H
#define MAPPER_PLAN_ENDS_H
#include "mapper/plan/plan.h"

/* Statements that begin or end sums of a region, at the first or last point of an axis. */

/* Does each member of the lesser region only begin sums of the greater one (`is_start`), or end
   them? */
bool ends_allow(const struct plan_region *lesser, const struct plan_region *greater,
                bool is_start);
/* Does the member run at a point of an axis and touch an array that the region's threads sum? */
bool member_is_end(const struct plan_region *region, const struct plan_member *member);
/* May the edge go from one point of the axis to others, since it orders a start, accumulations and
   a finish? */
bool edge_is_end(const struct plan_region *region, const struct scop_edge *edge, int axis);
/* Do the members that begin sums run at the first point of the box, before all accumulations, those
   that end them at the last point, behind them, and does nothing else in the region touch what they
   touch? Claims that the axes have points where the members run. */
bool ends_fit(struct scop *scop, const struct plan_region *region);

#endif
