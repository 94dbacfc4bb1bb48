#ifndef MAPPER_COST_H
#define MAPPER_COST_H
#include "mapper/plan/plan.h"

/* The predicted times of plans, for assumed sizes. A nest gets the fastest plan. */

/* Assumed values: of the parameters in an axis's number of points, and of all other parameters. */
struct cost_sizes {
    const struct affine *axis;       /* over parameters; NULL: none */
    double points;                   /* the value of each parameter in `axis` */
    double other;
};

/* The time of a plan in executions of a loop's body by one thread; infinite without a plan. */
double plan_cost(const struct schedule *plan, const struct cost_sizes *sizes);
/* Of a plan without loops of the host the region that takes longest; NULL: it has such loops. */
const struct plan_region *plan_dearest(const struct schedule *plan, const struct cost_sizes *sizes);

#endif
