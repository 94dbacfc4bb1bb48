#ifndef MAPPER_COST_H
#define MAPPER_COST_H
#include "mapper/forms/choice.h"
#include "mapper/plan/plan.h"

/* The predicted times of plans, for assumed sizes. A nest gets the fastest plan. */

/* The device that plans are predicted for: 128 multiprocessors. Each multiprocessor holds up to
   2,048 threads, as vendors' tables of occupancy say, and keeps about a quarter of them busy, which
   is an assumption of this model. */
enum { THREADS_HELD = 128 * 2048, THREADS_BUSY = THREADS_HELD / 4 };

/* Assumed values: of the parameters in an axis's number of points, and of all other parameters. */
struct cost_sizes {
    const struct affine *axis;       /* over parameters; NULL: none */
    double points;                   /* the value of each parameter in `axis` */
    double other;
    const struct map_size *given;    /* n_given sizes that a person has named */
    size_t n_given;
};
/* The value of every parameter where a person has named none. */
enum { SIZE_ASSUMED = 1000 };
extern const struct cost_sizes COST_ASSUMED;
/* The time of an execution of a loop's body by one thread. */
enum { COST_NANOSECONDS = 50 };

/* The time of a plan in executions of a loop's body by one thread; infinite without a plan. */
double plan_cost(const struct schedule *plan, const struct cost_sizes *sizes);
/* What a step of the plan costs of that. */
double plan_step_cost(const struct schedule *plan, const struct cost_sizes *sizes,
                      const struct plan_step *step);
/* The work that a plan leaves to one thread, as a share of the work of the unchanged nest. */
double plan_share_alone(const struct schedule *plan, const struct scop *unchanged,
                        const struct cost_sizes *sizes);
/* By symbol: the sizes of the choice, or SIZE_ASSUMED, and the middle values of iterators. */
const double *cost_values(struct scop *scop, const struct map_choice *choice);
/* How often the list's steps launch the region; 0: the steps lack it. */
double region_rounds(const struct scop *scop, const struct cost_sizes *sizes,
                     const plan_list *steps, const struct plan_region *region);
/* The sizes of the choice; the others are SIZE_ASSUMED. */
struct cost_sizes choice_sizes(const struct map_choice *choice);
/* Of a plan without loops of the host the region that takes longest; NULL: it has such loops. */
const struct plan_region *plan_dearest(const struct schedule *plan, const struct cost_sizes *sizes);

#endif
