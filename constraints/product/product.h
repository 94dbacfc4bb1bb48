#ifndef CONSTRAINTS_PRODUCT_H
#define CONSTRAINTS_PRODUCT_H
#include "constraints/real/sample.h"
#include "constraints/sas.h"

/* Proofs of infeasibility as sums of products (docs/certificates.md): found by exact linear
   programming over products of the constraints (Handelman's and Krivine's theorems on bounded
   polyhedra; in general a search that may fail). */

/* An infeasible conjunction, best an irreducible one. */
struct product_question {
    struct ring *ring;
    const struct constraint *at;
    const size_t *numbers;   /* the hypothesis number of each */
    size_t count;
    size_t next;             /* the number that a hypothesis added by a split gets */
};

/* A PROOF of products and splits as text in `arena`; NULL if none was found within the budget. */
const char *product_certificate(struct arena *arena, const struct product_question *question,
                                struct budget *budget);

#endif
