#ifndef CONSTRAINTS_FLINT_H
#define CONSTRAINTS_FLINT_H
/* The one place where FLINT's and Arb's headers are included. FLINT 2.9 keeps Arb in a library of
   its own with headers at the top of the include path; FLINT 3 has merged it. `flint_tame` sets,
   once per process, what happens when one of them gives up (memory, an exponent beyond its range):
   one line on stderr and exit status 3, as in base/arena. Inputs are guarded so that only exhausted
   memory gets there: degrees and sizes are limited in poly.c and question.c. */
#include <flint/flint.h>
#include <flint/fmpq.h>
#include <flint/fmpq_mpoly.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>
#include <flint/fmpz_vec.h>
#include <flint/mpoly.h>
#if __FLINT_RELEASE >= 30000
#include <flint/acb_poly.h>
#include <flint/arb.h>
#include <flint/arb_fmpz_poly.h>
#include <flint/arb_mat.h>
#include <flint/arb_poly.h>
#include <flint/qqbar.h>
#else
#include <acb_poly.h>
#include <arb.h>
#include <arb_fmpz_poly.h>
#include <arb_mat.h>
#include <arb_poly.h>
#include <calcium/qqbar.h>
#endif
#include <stdbool.h>

void flint_tame(void);

/* terms.c, where packed terms are read and written without FLINT's long integers. */
/* The exponents of term i, one entry per variable of the context. */
void mpoly_exponents(ulong *exponents, const fmpz_mpoly_struct *p, slong i,
                     const fmpz_mpoly_ctx_struct *ctx);
/* The same in 32 bits, which hold every exponent that poly.h allows. */
void mpoly_exponents_small(unsigned *exponents, const fmpz_mpoly_struct *p, slong i,
                           const fmpz_mpoly_ctx_struct *ctx);
/* used[v] = does p use variable v? One entry per variable of the context. */
void mpoly_used(int *used, const fmpz_mpoly_struct *p, const fmpz_mpoly_ctx_struct *ctx);
/* The degree of p in one variable, -1 for the zero polynomial. */
slong mpoly_degree_in(const fmpz_mpoly_struct *p, slong variable, const fmpz_mpoly_ctx_struct *ctx);
/* The total degree of p, -1 for the zero polynomial. */
slong mpoly_total_degree(const fmpz_mpoly_struct *p, const fmpz_mpoly_ctx_struct *ctx);
/* coefficient = that of variable^exponent in p, a polynomial without the variable; not p itself. */
void mpoly_take_coefficient(fmpz_mpoly_struct *coefficient, const fmpz_mpoly_struct *p,
                            slong variable, ulong exponent, const fmpz_mpoly_ctx_struct *ctx);
/* A term at the end of p, wherever it belongs in the order. */
void mpoly_push(fmpz_mpoly_struct *p, const fmpz *coefficient, const ulong *exponents,
                const fmpz_mpoly_ctx_struct *ctx);
/* False if q is plainly no divisor of p, as its first or last term does not divide that of p. */
bool mpoly_may_divide(const fmpz_mpoly_struct *q, const fmpz_mpoly_struct *p,
                      const fmpz_mpoly_ctx_struct *ctx);
/* Do the terms fall in the order of the context, each below the one before? False also for fields
   wider than a word. */
bool mpoly_is_sorted(const fmpz_mpoly_struct *p, const fmpz_mpoly_ctx_struct *ctx);

#endif
