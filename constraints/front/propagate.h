#ifndef CONSTRAINTS_PROPAGATE_H
#define CONSTRAINTS_PROPAGATE_H
/* Bounds from bounds: interval propagation over facts. */
#include "constraints/front/question.h"

struct propagation {
    struct question *q;
    const struct fact *const *facts;
    size_t count;
    const struct bound **lo, **hi;   /* by variable, changed in place */
    /* Asked before a bound that fact i implies is installed, if not NULL; false: it is not.
       `upper`: of variable v. */
    bool (*accept)(struct propagation *propagation, size_t i, int v, bool upper,
                   const struct bound *bound);
    bool strict;                     /* bounds are widened a little so that they are strict */
    void *user;
};

/* Narrows until nothing changes much. True on a contradiction: *last is the fact that contradicts
   the bounds (SIZE_MAX: bounds of one variable contradict each other), q->conflict its origins. */
bool propagate(struct propagation *propagation, size_t *last);

#endif
