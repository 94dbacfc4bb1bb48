#ifndef CONSTRAINTS_REAL_SUBRESULTANT_H
#define CONSTRAINTS_REAL_SUBRESULTANT_H
#include "constraints/real/sample.h"

/* Subresultants of p and q with respect to one variable, m = deg p >= 1, n = deg q >= 1. For 0 <= j
   < min(m, n), S_j is the determinant polynomial of the m + n - 2j rows variable^i * p (0 <= i <
   n-j) and variable^i * q (0 <= i < m-j): a polynomial of degree at most j in the variable. psc_j,
   the principal subresultant coefficient, is its coefficient of variable^j; psc_0 is the resultant.
   What is returned equals these up to sign. At a point where the leading coefficient of p or of q
   is not zero, p and q have a common divisor of degree d exactly if psc_0 … psc_(d-1) vanish and
   psc_d does not (d < min(m, n)); then S_d is a greatest common divisor there. */

struct subresultants;

/* The chain is computed on first demand. p and q are copied; the object and what it returns live in
   `arena`. */
struct subresultants *subresultants_new(struct arena *arena, const fmpz_mpoly_ctx_struct *ctx,
                                        const fmpz_mpoly_struct *p, const fmpz_mpoly_struct *q,
                                        int variable);
/* min(m, n): the number of subresultants. */
size_t subresultants_count(const struct subresultants *s);
/* psc_j, NULL if the budget is spent (a later call with another budget starts anew). */
const fmpz_mpoly_struct *subresultants_principal(struct subresultants *s, size_t j,
                                                 struct budget *budget);
/* S_j as a polynomial in all variables, NULL likewise. */
const fmpz_mpoly_struct *subresultants_polynomial(struct subresultants *s, size_t j,
                                                  struct budget *budget);

/* All at once: psc_0 … psc_(min(m,n)-1); returns their number, 0 if the budget is spent. */
size_t subresultant_principal(struct arena *arena, const fmpz_mpoly_ctx_struct *ctx,
                              const fmpz_mpoly_struct *p, const fmpz_mpoly_struct *q, int variable,
                              struct budget *budget, const fmpz_mpoly_struct ***psc);

#endif
