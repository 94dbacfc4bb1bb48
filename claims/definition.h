#ifndef CLAIMS_DEFINITION_H
#define CLAIMS_DEFINITION_H
#include "constraints/formula.h"

/* Definitions of auxiliary integers as tree.json has them ("max(24, 8*ceil((s + 42)/8))"): a text,
   its exact value at a point, and what polynomials can say of it. */

enum term_kind { TERM_POLY, TERM_MAX, TERM_MIN, TERM_CEIL, TERM_FLOOR };

/* scale * ceil(poly/divisor) and scale * floor(poly/divisor); a polynomial; max and min of two. */
struct term {
    enum term_kind kind;
    const struct poly *poly, *divisor;
    int64_t scale;
    const struct term *left, *right;
};

/* Over the ring's variables, and no others. NULL and *why (in the ring's arena) if it is none. */
const struct term *term_read(struct ring *ring, const char *text, const char **why);
/* False if something leaves 64 bits or a divisor is not positive there. */
bool term_evaluate(const struct term *term, const int64_t *point, int64_t *value);
bool term_uses(const struct term *term, int variable);
/* What follows from the variable `value` being the term's value where all variables are integers
   and all divisors positive: exact for ceilings and floors, for multiples of them bounds. */
const struct formula *term_facts(struct arena *arena, const struct term *term,
                                 const struct poly *value);
/* What follows for the values v and w of two ceilings, or two floors, of the same multiple: the one
   with the larger fraction is not smaller. TRUE if the terms are no such pair. */
const struct formula *term_order(struct arena *arena, const struct term *first,
                                 const struct poly *v, const struct term *second,
                                 const struct poly *w);
/* The divisors in it that are no positive numbers by themselves, at most `room`; their count. */
size_t term_divisors(const struct term *term, const struct poly **divisors, size_t room);

#endif
