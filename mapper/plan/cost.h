#ifndef MAPPER_COST_H
#define MAPPER_COST_H
#include "mapper/plan/plan.h"

/* What plans are compared by: predicted times, for assumed sizes. */

/* What parameters are taken to be: those that the number of an axis's points depends on, and the
   others. */
struct cost_sizes {
    const struct affine *axis;       /* over parameters; NULL: none */
    double points;                   /* of each parameter in it */
    double other;
};

/* The time of a plan in executions of a loop's body by one thread; infinite without a plan. */
double plan_cost(const struct schedule *plan, const struct cost_sizes *sizes);
/* Of a plan without loops of the host the region that takes longest; NULL: it has such loops. */
const struct plan_region *plan_dearest(const struct schedule *plan, const struct cost_sizes *sizes);

#endif
