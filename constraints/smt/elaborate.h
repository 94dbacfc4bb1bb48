#ifndef CONSTRAINTS_SMT_ELABORATE_H
#define CONSTRAINTS_SMT_ELABORATE_H
#include "constraints/smt/sexpr.h"
#include "constraints/smt/term.h"

/* From S-expressions to terms: names are looked up, sorts checked, definitions put in. */

struct naming {
    const char *name;
    const struct term *term;
};

struct elaborator {
    struct term_maker maker;
    struct arena *scratch;       /* for the time of one call */
    const struct map *symbols;   /* name to struct symbol */
    bool reals;                  /* numerals are of sort Real */
    struct sexpr_error *error;   /* set when something is wrong */
    VEC(struct naming) names;    /* out: what :named gave a name to, in order */
};

/* The term that `expr` is where the variables stand for their names. NULL after an error. */
const struct term *elaborate(struct elaborator *e, const struct sexpr *expr,
                             const struct term *const *variables, size_t count);
bool elaborate_sort(struct elaborator *e, const struct sexpr *expr, enum sort *sort);
/* "((x Real) (y Int))" as variables; NULL after an error. */
const struct term *const *elaborate_variables(struct elaborator *e, const struct sexpr *list,
                                              size_t *count);

#endif
