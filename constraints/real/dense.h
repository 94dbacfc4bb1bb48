#ifndef CONSTRAINTS_REAL_DENSE_H
#define CONSTRAINTS_REAL_DENSE_H
#include "constraints/real/sample.h"

/* Polynomials in one variable with polynomials as coefficients, by exponent; for pseudo-division
   and subresultants. Every operation takes its work from the budget; when that is spent results are
   zero, which ends every loop over degrees, and the caller looks at the budget once at the end. */

struct algebra {
    const fmpz_mpoly_ctx_struct *ctx;
    struct budget *budget;
};

/* The coefficients of variable^0 … variable^(length-1); the last one is not the zero polynomial. */
struct dense {
    fmpz_mpoly_struct *at;
    slong length, capacity;
};

/* Operations on coefficients; results may alias arguments. */
void algebra_mul(const struct algebra *g, fmpz_mpoly_struct *r, const fmpz_mpoly_struct *a,
                 const fmpz_mpoly_struct *b);
/* r = a / b, which is exact. */
void algebra_div(const struct algebra *g, fmpz_mpoly_struct *r, const fmpz_mpoly_struct *a,
                 const fmpz_mpoly_struct *b);
void algebra_pow(const struct algebra *g, fmpz_mpoly_struct *r, const fmpz_mpoly_struct *a,
                 ulong exponent);
/* a^n / b^(n-1), exact at every step (Lazard); n >= 1. */
void algebra_lazard(const struct algebra *g, fmpz_mpoly_struct *r, const fmpz_mpoly_struct *a,
                    const fmpz_mpoly_struct *b, ulong n);
/* Divides by the integer content. */
void algebra_primitive(const struct algebra *g, fmpz_mpoly_struct *a);

void dense_init(struct dense *a);
void dense_clear(const struct algebra *g, struct dense *a);
void dense_swap(struct dense *a, struct dense *b);
void dense_set(const struct algebra *g, struct dense *a, const struct dense *b);
void dense_zero(const struct algebra *g, struct dense *a);
void dense_fit(const struct algebra *g, struct dense *a, slong length);
/* Drops leading coefficients that are the zero polynomial. */
void dense_normalise(const struct algebra *g, struct dense *a);
void dense_from(const struct algebra *g, struct dense *a, const fmpz_mpoly_struct *p, int variable);
void dense_to(const struct algebra *g, fmpz_mpoly_struct *p, const struct dense *a, int variable);
void dense_derivative(const struct algebra *g, struct dense *r, const struct dense *a);
/* lc(b)^(deg a - deg b + 1) * a = quotient * b + r; quotient may be NULL. r is a copy of a where
   deg a < deg b. */
void dense_divide(const struct algebra *g, struct dense *quotient, struct dense *r,
                  const struct dense *a, const struct dense *b);
/* Divides by the integer content of all coefficients. */
void dense_primitive(const struct algebra *g, struct dense *a);

#endif
