#ifndef OPTIMIZER_SLOTS_H
#define OPTIMIZER_SLOTS_H
#include "optimizer/space.h"

/* Auxiliary integers without variables of their own. A definition is made once by the store and
   kept for good; a table of slots says which definition stands behind which variable of a value, of
   a path or of another definition. Tables are immutable and may be shared. */

/* min(cap, max(floor, multiple * ceil(numerator / (multiple * denominator)))), as struct auxiliary
   tells it. */
struct definition {
    const char *stem;                   /* what its name begins with: "q" */
    enum auxiliary_form form;
    const struct poly *numerator, *denominator, *cap;   /* over parameters and the slots of
                                                           `operands`; cap may be NULL */
    int64_t multiple, floor, least;
    struct slots operands;              /* the definitions that it uses, each in the slot of
                                           its place */
};

/* Place of a definition in a table, -1 if it is not there. */
int slots_find(struct slots slots, const struct definition *definition);
/* The table `to` with all of `from`, operands first, and in at[] (RING_CAPACITY entries) what
   becomes of the variables of `from`. False if fewer than `room` slots would be left. */
bool slots_join(const struct search_space *space, struct slots *to, struct slots from, int room,
                int *at);
/* The integer in slot i over the variables of the table, in `ring`: the space's, or one that names
   the same variables. Its facts are its bounds, and its order with those before it where that is
   known: ceilings keep the order of their numerators. */
const struct auxiliary *slots_auxiliary(const struct search_space *space, struct ring *ring,
                                        struct slots slots, int i);
/* The integers in all slots, over the space's ring. */
const struct auxiliary *const *slots_integers(const struct search_space *space, struct slots slots);
/* The largest known lower bound of a variable of the space's ring, -1 if none is known that is not
   negative. */
int64_t slots_least(const struct search_space *space, struct slots slots, int variable);
/* The facts of all, over the space's ring. */
struct sas slots_facts(const struct search_space *space, struct slots slots);

#endif
