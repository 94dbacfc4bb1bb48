#ifndef EMIT_CHECKED_H
#define EMIT_CHECKED_H
#include "optimizer/tree.h"

/* Polynomials and integer expressions as C text over int64_t variables of the same names, every operation checked:
   treefork_add(a, b, ERROR), where ERROR is the C text of an `int *` that is set on overflow. */

/* p has integer coefficients. */
void checked_poly(struct str *out, const struct poly *p, const char *error);
/* Left and right side of a constraint in the form in which constraint_print shows it. */
struct sides {
    const char *text;                 /* "2*s*B + 2 <= Z_B" */
    enum relation relation;
    const struct poly *left, *right;
};
struct sides constraint_sides(struct arena *arena, struct constraint c, uint64_t machine);
/* C's meaning, with results that leave int's (or the operation's) type counted as overflow, unsigned int's taken modulo
   2^32. False if e loads, calls or shifts by a variable. */
bool checked_expr(struct str *out, const struct expr *e, const char *error);

#endif
