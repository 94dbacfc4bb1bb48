#ifndef CONSTRAINTS_COVER_COVER_H
#define CONSTRAINTS_COVER_COVER_H
#include "constraints/formula.h"
#include "constraints/real/sample.h"

/* The complete core: cylindrical algebraic coverings (Ábrahám, Davenport, England, Kremer, JLAMP
   2021) over formulas (Nalbach, Kremer: coverings for Boolean structure and for quantifiers).
   Around a partial sample that makes the formula false (or true), the polynomials that decide it
   are characterised into an interval of the last coordinate; intervals that cover the line are
   projected to a cell one level below. Projection is Collins' with Hong's improvement, taken at the
   sample: for a polynomial, its coefficients down to the first that is not zero at the sample, and
   of that reductum's principal subresultants with its derivative those up to the first that is not
   zero there; for two polynomials whose order matters, their principal subresultants up to the
   first that is not zero there. It needs only sign-invariance of what is below, so a polynomial
   that vanishes identically over a sample (nullification) needs no exception: all its coefficients
   are taken. One engine keeps the table of interned irreducible polynomials with their factors,
   coefficients and subresultants; it is keyed by polynomial and variable, so that it survives push
   and pop. */

struct engine;

/* An engine over the ring's present variables (capacity `variables`); when the ring has grown a new
   one is needed. */
struct engine *engine_new(struct arena *arena, struct ring *ring);
int engine_variables(const struct engine *engine);
/* Forgets the table if it has grown beyond its limit; called between questions only. */
void engine_tidy(struct engine *engine);
/* The FLINT context of the engine: generator v = ring variable v. */
const fmpz_mpoly_ctx_struct *engine_context(const struct engine *engine);

struct engine_question {
    const struct formula *const *assertions;  /* without quantifiers unless `order` has them */
    size_t count;
    const int *order;                         /* variables from first to last to be assigned; NULL =
                                                 Brown's heuristic */
    const char *quantifiers;                  /* by position in order: 'e' or 'a'; NULL = all 'e' */
    size_t levels;
    bool certificate;                         /* record one */
    const size_t *numbers; /* hypothesis numbers in it, by assertion, each of which is one
                              hypothesis; NULL = the assertions flattened, from 0 */
    struct budget *budget;
};

struct engine_answer {
    int truth;                    /* 1 satisfiable (true), 0 not, -1 unknown (the budget says
                                     why) */
    struct sample *sample;        /* truth 1 and all 'e': a point that satisfies all assertions, all
                                     variables of order */
    bool *core;                   /* truth 0: by assertion, was it used */
    const char *certificate;      /* truth 0, asked and all 'e': a (cover …) proof,
                                     docs/certificates.md */
};

/* Everything in the answer lives in `arena`. */
struct engine_answer engine_ask(struct engine *engine, struct arena *arena,
                                const struct engine_question *question);

/* Brown's heuristic: an order for the variables that occur free in the assertions; `count` of
   them. */
const int *engine_order(struct arena *arena, struct ring *ring,
                        const struct formula *const *assertions, size_t count, size_t *levels);

/* Quantifier elimination by coverings: `order` = the free variables, then the quantified ones;
   `quantifiers` by position in order, those of the free ones are not looked at. An equivalent
   formula in the free variables (solution formula by signs of the projection's factors and, where
   these do not separate, of their derivatives: Thom), or NULL: budget, its reason says why. */
const struct formula *engine_eliminate(struct engine *engine, struct arena *arena,
                                       const struct formula *matrix, const int *order,
                                       const char *quantifiers, size_t levels, size_t free,
                                       struct budget *budget);

#endif
