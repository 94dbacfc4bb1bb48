#ifndef CONSTRAINTS_GUARD_H
#define CONSTRAINTS_GUARD_H
#include "constraints/formula.h"

/* What is no polynomial, by auxiliary variables and guards. Each function gives the formula that
   defines the value of `variable` (made by guard_variable, or any other): assert it beside what
   uses the variable. Except where said, exactly one value satisfies it at every point. Variables
   called integer must be told to the solver (solver_integer). */

/* A variable with a name nobody has: STEM_1, STEM_2, …; -1 if the ring is full. */
int guard_variable(struct ring *ring, const char *stem);

/* variable (integer) = the greatest integer <= p. */
const struct formula *guard_floor(struct arena *arena, int variable, const struct poly *p);
/* variable (integer) = the least integer >= p. */
const struct formula *guard_ceil(struct arena *arena, int variable, const struct poly *p);
/* variable (integer) = p div q as SMT-LIB has it for integers: 0 <= p - q * variable < |q|. Nothing
   is said where q = 0. */
const struct formula *guard_div(struct arena *arena, int variable, const struct poly *p,
                                const struct poly *q);
/* variable = p mod q = p - q * quotient, with `quotient` (integer) = p div q. Nothing is said where
   q = 0. */
const struct formula *guard_mod(struct arena *arena, int variable, int quotient,
                                const struct poly *p, const struct poly *q);
/* variable = p / q. Nothing is said where q = 0. */
const struct formula *guard_quotient(struct arena *arena, int variable, const struct poly *p,
                                     const struct poly *q);
const struct formula *guard_min(struct arena *arena, int variable, const struct poly *p,
                                const struct poly *q);
const struct formula *guard_max(struct arena *arena, int variable, const struct poly *p,
                                const struct poly *q);
/* variable = if condition then p else q. */
const struct formula *guard_ite(struct arena *arena, int variable, const struct formula *condition,
                                const struct poly *p, const struct poly *q);

/* numerator / denominator relation 0 without a variable, where the denominator is not zero: its
   sign is multiplied out. */
const struct formula *guard_fraction(struct arena *arena, const struct poly *numerator,
                                     const struct poly *denominator, enum relation relation);

#endif
