#ifndef CONSTRAINTS_SMT_TRANSLATE_H
#define CONSTRAINTS_SMT_TRANSLATE_H
#include "constraints/smt/fraction.h"
#include "constraints/smt/session.h"

/* One assertion on its way from term to formula; shared by translate.c, divide.c and
   quantifier.c. */

/* A variable that its definition determines, and that is to be quantified beside it. */
struct pending {
    int variable;
    const struct formula *definition;
};

/* An open quantifier. */
struct scope {
    const struct term *term;
    VEC(struct pending) pending;
};

/* A value of function(argument) that may be chosen at each value of what the argument depends
   on. */
struct choice {
    enum zero_function function;
    const struct poly *argument;
    int variable;
};

struct image {
    const struct formula *formula;
    const struct fraction *number;
};

struct translation {
    struct session *session;
    struct arena *scratch;
    struct map *images;                 /* term to image */
    VEC(struct scope) scopes;           /* the first: the assertion itself */
    size_t scope_of[RING_CAPACITY];     /* of a variable: index of its scope, 0 = free */
    VEC(int) bound;                     /* variables taken for this assertion only, if no quantifier
                                           is dropped */
    VEC(struct choice) choices;
    bool integers_bound;                /* an integer variable stays under a quantifier */
    const char *error;
};

/* A variable of the scope; -1 with the error set if there is none left. */
int translation_variable(struct translation *t, bool integer, size_t scope);
/* The scope that p belongs to: the innermost of its variables'. */
size_t translation_scope(const struct translation *t, const struct poly *p);
void translation_define(struct translation *t, size_t scope, int variable,
                        const struct formula *definition);
/* The number as a polynomial, through a variable of its own where it is none. NULL after an
   error. */
const struct poly *translation_poly(struct translation *t, const struct fraction *a);

/* divide.c: a / b, a div b, a mod b, floor of a; total. NULL after an error. */
const struct fraction *translation_divide(struct translation *t, const struct fraction *a,
                                          const struct fraction *b);
const struct fraction *translation_div_mod(struct translation *t, const struct fraction *a,
                                           const struct fraction *b, bool mod);
const struct fraction *translation_floor(struct translation *t, const struct fraction *a);
/* f, and that values of division by zero that it uses agree with all others: equal arguments, equal
   values. */
const struct formula *translation_consistency(struct translation *t, const struct formula *f);

/* quantifier.c: outermost existential quantifiers become free variables, choices are quantified. */
const struct formula *translation_settle(struct translation *t, const struct formula *f);

#endif
