#ifndef CONSTRAINTS_SMT_VALUATION_H
#define CONSTRAINTS_SMT_VALUATION_H
#include "constraints/smt/session.h"
#include "constraints/exact.h"

/* A model of the assertions, kept when the solver goes on: values of the declared symbols, and of
   all terms. */
struct valuation;

/* After SAS_NONEMPTY; NULL if the witness cannot be read. Valid as long as the session. */
struct valuation *valuation_new(struct session *session);
void valuation_free(struct valuation *valuation);

/* What a term is: a truth value or a number. */
struct meaning {
    bool truth;
    const struct exact *value;   /* in the arena given */
};

/* False and *error set if the term has quantifiers or a value grows beyond the limits. */
bool valuation_of(const struct valuation *valuation, struct arena *arena, const struct term *term,
                  struct meaning *meaning, const char **error);
/* What a declared symbol is; symbols that no assertion uses are 0 or false. */
struct meaning valuation_symbol(const struct valuation *valuation, struct arena *arena,
                                const struct symbol *symbol);
/* As SMT-LIB text. */
void meaning_print(struct str *out, struct meaning meaning, enum sort sort);
/* "(define-fun /0 ((x Real)) Real …)" for each function of division by zero that the assertions
   use, one per line. */
void valuation_print_zeros(struct str *out, const struct valuation *valuation);

#endif
