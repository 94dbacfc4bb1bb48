#ifndef CONSTRAINTS_PROJECT_H
#define CONSTRAINTS_PROJECT_H
#include "constraints/solve.h"

/* Projection of semi-algebraic sets: quantifier elimination over the reals. Virtual substitution
   (Loos, Weispfenning; Weispfenning for degree two) where degrees allow, coverings with formula
   construction otherwise. */

struct project_options {
    uint64_t steps;            /* deterministic budget; 0 = default */
    struct sas context; /* what may be assumed of the free variables: the result is equivalent and
                           simplified under it; ring NULL = nothing */
};

/* A formula without quantifiers, equivalent to f (which may have some): simplified, deterministic.
   NULL if undecided, *reason (may be NULL) says why. */
const struct formula *formula_eliminate(struct arena *arena, struct ring *ring,
                                        const struct formula *f,
                                        const struct project_options *options, const char **reason);
/* There are values of `variables` for which the system holds: formula_eliminate, and where the
   result is a conjunction, printed like one. */
const struct formula *sas_project(struct arena *arena, struct sas sas, const int *variables,
                                  size_t count, const struct project_options *options,
                                  const char **reason);
/* An equivalent (under `context`), usually shorter formula: implied atoms and disjuncts go. */
const struct formula *formula_simplify(struct arena *arena, struct ring *ring,
                                       const struct formula *f, struct sas context);

/* The constraint with the same integer solutions and the least real ones of this kind: "2*x <= 5"
   is "x <= 2", "x < 5" is "x <= 4". Equations stay. In `arena`. */
struct constraint constraint_integral(struct arena *arena, struct constraint c);

/* An end of an interval of the real line. */
struct endpoint {
    const struct algebraic *value;   /* exact; NULL = infinite */
    const char *decimal; /* a ball around it, "[1.41421356237310 +/- 4.9e-15]"; NULL = infinite */
    bool open;                       /* the end itself does not belong to the interval */
};
struct interval {
    struct endpoint lo, hi;
};
/* The least integer that is not below the interval, the greatest that is not above; false if that
   side is infinite or the integer leaves 64 bits. */
bool interval_first(const struct interval *interval, int64_t *value);
bool interval_last(const struct interval *interval, int64_t *value);

/* Where on the line of `variable` a formula without quantifiers holds that has no other variable:
   maximal intervals in ascending order, in `arena`. */
const struct interval *formula_range(struct arena *arena, struct ring *ring,
                                     const struct formula *f, int variable, size_t *count);

/* A region of the plane, cut for drawing: over each open interval of x between two breakpoints the
   curves that bound the region are graphs of y that neither cross nor end. */
struct branch {
    const struct poly *curve;        /* irreducible; NULL = infinite */
    size_t root;                     /* which of its real roots in y over the interval, from 1 */
    bool open;
};
struct strip {
    struct branch lo, hi;            /* both the same: the curve alone */
};
struct cell {
    struct interval x;               /* open */
    size_t count;
    const struct strip *strips;      /* from below; those that touch are one */
};
/* The cells over which a formula without quantifiers in x and y only holds somewhere, ascending.
   Points and segments over a single x are not shown. NULL and *reason if the polynomials are beyond
   the limits; else *count may be 0. */
const struct cell *formula_cells(struct arena *arena, struct ring *ring, const struct formula *f,
                                 int x, int y, size_t *count, const char **reason);

#endif
