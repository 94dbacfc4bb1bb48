#ifndef CONSTRAINTS_EXACT_H
#define CONSTRAINTS_EXACT_H
#include "constraints/solve.h"

/* Exact real algebraic numbers as values, for showing witnesses and evaluating terms at them;
   immutable, in an arena. Not for the solver's own work. Arithmetic on NULL is NULL, and so is what
   grows beyond the limits (degree 60). */

struct exact;

const struct exact *exact_fraction(struct arena *arena, int64_t numerator, int64_t denominator);
/* What a constant polynomial is. */
const struct exact *exact_constant(struct arena *arena, const struct poly *p);
const struct exact *exact_algebraic(struct arena *arena, const struct algebraic *a);
/* Coordinate `variable` of a witness; variables beyond it are 0. */
const struct exact *exact_witness(struct arena *arena, const struct witness *witness, int variable);

const struct exact *exact_add(struct arena *arena, const struct exact *a, const struct exact *b);
const struct exact *exact_sub(struct arena *arena, const struct exact *a, const struct exact *b);
const struct exact *exact_mul(struct arena *arena, const struct exact *a, const struct exact *b);
/* NULL if b is zero. */
const struct exact *exact_div(struct arena *arena, const struct exact *a, const struct exact *b);
const struct exact *exact_power(struct arena *arena, const struct exact *a, unsigned exponent);
const struct exact *exact_floor(struct arena *arena, const struct exact *a);
/* -1, 0, 1 */
int exact_sign(const struct exact *a);
int exact_compare(const struct exact *a, const struct exact *b);
bool exact_is_integer(const struct exact *a);

/* p at a point with an entry for each variable that p uses. */
const struct exact *exact_at(struct arena *arena, const struct poly *p,
                             const struct exact *const *point);

/* As SMT-LIB has it: 3 or (- 3), with `real` 3.0 or (- (/ 1 2)); an irrational number as z3 has it,
   (root-obj P k): the k-th real root, from 1 in ascending order, of P, a primitive polynomial in x.
 */
void exact_print(struct str *out, const struct exact *a, bool real);

#endif
