#ifndef CONSTRAINTS_COVER_SOLUTION_H
#define CONSTRAINTS_COVER_SOLUTION_H
#include "constraints/cover/search.h"

/* A short disjunction of conjunctions of sign conditions on the chart's polynomials that holds at
   its true points and not at its false ones (sign vectors that are neither do not occur). No point
   of the chart is of both truths. */
const struct formula *solution_formula(struct search *s, struct arena *arena);

#endif
