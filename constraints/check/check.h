#ifndef CONSTRAINTS_CHECK_CHECK_H
#define CONSTRAINTS_CHECK_CHECK_H
#include "constraints/formula.h"

/* The independent checker: re-verifies an answer of the solver from the question and a
   certificate's text (docs/certificates.md). It shares the values (poly.h, sas.h, formula.h) with
   the solver and no reasoning: algebraic numbers are FLINT's qqbar, projections are computed again.
 */

enum check_outcome {
    CHECK_VERIFIED,
    CHECK_REFUTED,     /* the certificate does not prove the answer */
    CHECK_UNCHECKED,   /* the checker's own limits ended the work */
};

struct check_question {
    struct ring *ring;
    const struct formula *const *assertions;
    size_t count;
    const bool *integer;   /* by ring variable: ranges over the integers; NULL = none */
    uint64_t steps;        /* the checker's own budget; 0 = default */
};

/* *why: a sentence in `arena` that names the first place that is not right (NULL after
   CHECK_VERIFIED). */
enum check_outcome check_certificate(struct arena *arena, const struct check_question *question,
                                     const char *certificate, const char **why);

#endif
