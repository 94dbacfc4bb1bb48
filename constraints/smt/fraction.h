#ifndef CONSTRAINTS_SMT_FRACTION_H
#define CONSTRAINTS_SMT_FRACTION_H
#include "constraints/formula.h"

/* Numeric terms as polynomials by cases: where guard i holds, the value is numerator i /
   denominator i, and the denominator is not zero there. Exactly one guard holds at every point.
   Immutable, in an arena. */

struct fraction_case {
    const struct formula *guard;
    const struct poly *numerator, *denominator;   /* denominator NULL: 1 */
};

struct fraction {
    const struct fraction_case *at;
    size_t count;
};

const struct fraction *fraction_poly(struct arena *arena, const struct poly *p);
/* The polynomial that it is everywhere; NULL if it is none. */
const struct poly *fraction_is_poly(const struct fraction *a);

/* NULL if the result has too many cases or a denominator of too high a degree: then purify the
   operands and try again. Polynomials beyond the limits of poly.h become NULL inside
   (fraction_fits). */
const struct fraction *fraction_add(struct arena *arena, const struct fraction *a,
                                    const struct fraction *b);
const struct fraction *fraction_mul(struct arena *arena, const struct fraction *a,
                                    const struct fraction *b);
const struct fraction *fraction_neg(struct arena *arena, const struct fraction *a);
const struct fraction *fraction_power(struct arena *arena, const struct fraction *a,
                                      unsigned exponent);
const struct fraction *fraction_ite(struct arena *arena, const struct formula *condition,
                                    const struct fraction *a, const struct fraction *b);
/* a / b where b is not zero, at_zero where it is. */
const struct fraction *fraction_div(struct arena *arena, const struct fraction *a,
                                    const struct fraction *b, const struct poly *at_zero);
/* May it be zero somewhere, for all that is seen at once? */
bool fraction_may_vanish(const struct fraction *a);

/* a relation 0 */
const struct formula *fraction_compare(struct arena *arena, const struct fraction *a,
                                       enum relation relation);
/* variable = a */
const struct formula *fraction_definition(struct arena *arena, const struct fraction *a,
                                          int variable);
bool fraction_fits(const struct fraction *a);

#endif
