#ifndef CONSTRAINTS_PROJECT_NORMAL_H
#define CONSTRAINTS_PROJECT_NORMAL_H
#include "constraints/project/plan.h"

/* A disjunction of conjunctions on its way to the readable form. */
struct normal {
    struct work *w;
    const struct theory *theory;
    struct sas context;              /* the same in the ring */
    uint64_t solver_steps;           /* left for the solver's questions */
    node_list disjuncts;             /* conjunctions of atoms */
};

void disjunct_remove(struct normal *n, size_t i);

/* minimal.c: drops disjuncts and atoms whose absence makes no difference, asking the solver;
   deterministic. */
void disjuncts_minimise(struct normal *n);

#endif
