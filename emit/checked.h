#ifndef EMIT_CHECKED_H
#define EMIT_CHECKED_H
#include "optimizer/tree.h"

/* Polynomials as C text over treefork_int variables of the same names, every operation checked:
 * tf_add(a, b), tf_sub, tf_mul. */

/* p has integer coefficients. */
void checked_poly(struct str *out, const struct poly *p);
/* Left and right side of a constraint in the form in which constraint_print shows it. */
struct sides {
    const char *text; /* "2*s*B + 2 <= Z_B" */
    enum relation relation;
    const struct poly *left, *right;
};
struct sides constraint_sides(struct arena *arena, struct constraint c, uint64_t machine);
/* "4*d <= B with d = ceil(B/4)": its text and what its auxiliary integers stand for. */
const char *constraint_explained(struct arena *arena, const struct tree *tree, struct constraint c);
/* "TREEFORK_LE" */
const char *relation_symbol(enum relation relation);

#endif
