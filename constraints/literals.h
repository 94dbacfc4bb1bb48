#ifndef CONSTRAINTS_LITERALS_H
#define CONSTRAINTS_LITERALS_H
#include "constraints/formula.h"

/* Atoms numbered so that equal constraints have one number and a constraint and its negation differ
   in the last bit: what a case distinction can see without asking. In an arena. */
struct literals;

struct literals *literals_new(struct arena *arena);
/* The number of the atom f, or of its negation. */
size_t literal_of(struct literals *literals, const struct formula *f, bool negated);
/* Numbers given out are below this. */
size_t literals_limit(const struct literals *literals);

#endif
