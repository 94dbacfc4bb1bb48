#ifndef CONSTRAINTS_PROJECT_H
#define CONSTRAINTS_PROJECT_H
#include "constraints/solve.h"

/* Projection of semi-algebraic sets: quantifier elimination over the reals. Virtual substitution (Loos, Weispfenning;
   Weispfenning for degree two) where degrees allow, coverings with formula construction otherwise. */

struct project_options {
    uint64_t steps;            /* deterministic budget; 0 = default */
    struct sas context;        /* what may be assumed of the free variables: the result is equivalent and simplified under
                                  it; ring NULL = nothing */
};

/* A formula without quantifiers, equivalent to f (which may have some): simplified, deterministic. NULL if undecided,
   *reason (may be NULL) says why. */
const struct formula *formula_eliminate(struct arena *arena, struct ring *ring, const struct formula *f,
                                        const struct project_options *options, const char **reason);
/* There are values of `variables` for which the system holds: formula_eliminate, and where the result is a conjunction,
   printed like one. */
const struct formula *sas_project(struct arena *arena, struct sas sas, const int *variables, size_t count,
                                  const struct project_options *options, const char **reason);
/* An equivalent (under `context`), usually shorter formula: implied atoms and disjuncts go. */
const struct formula *formula_simplify(struct arena *arena, struct ring *ring, const struct formula *f, struct sas context);

#endif
