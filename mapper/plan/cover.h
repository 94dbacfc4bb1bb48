#ifndef MAPPER_COVER_H
#define MAPPER_COVER_H
#include "mapper/forms/choice.h"
#include "mapper/plan/plan.h"

/* Covers: the ways in which steps that follow each other share regions. */

struct plan_cover {
    plan_list steps;
    double cost;                     /* in executions of a loop's body by one thread (cost.h) */
};
typedef VEC(struct plan_cover) cover_list;

/* A list of steps with all its covers. */
struct plan_covers {
    int depth;                       /* host loops around */
    const struct scop_loop *loop;    /* the innermost host loop; NULL: there is none */
    struct plan_place place;
    plan_list steps;                 /* none joined with another one, by place */
    cover_list covers;               /* the first one is the plan's, the others by their cost */
    bool is_cut;                     /* there are more covers than these */
};
typedef VEC(struct plan_covers) covers_list;

/* The lists of a plan with two steps and more: its own, and those in loops of the host that are the
   source's. Merging says what is legal. */
void plan_covers_find(const struct schedule *plan, const struct map_choice *choice,
                      covers_list *list);
/* The plan with the cover in the place of its list, and all beside the list on the host. */
struct schedule *plan_with_cover(const struct schedule *plan, const struct plan_covers *covers,
                                 const struct plan_cover *cover);
/* Does the step run the unit? */
bool step_runs(struct arena *arena, const struct plan_step *step, const struct scop_unit *unit);

#endif
