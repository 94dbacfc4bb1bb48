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
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>
#include <flint/fmpz_vec.h>
#if __FLINT_RELEASE >= 30000
#include <flint/acb_poly.h>
#include <flint/arb.h>
#include <flint/arb_mat.h>
#include <flint/arb_poly.h>
#include <flint/qqbar.h>
#else
#include <acb_poly.h>
#include <arb.h>
#include <arb_mat.h>
#include <arb_poly.h>
#include <calcium/qqbar.h>
#endif

void flint_tame(void);

/* The total degree of p, -1 for the zero polynomial. As FLINT's own function, which unpacks all
   variables of the ring into long integers; here the field that a degree order keeps in front of
   each monomial is read. */
slong mpoly_total_degree(const fmpz_mpoly_struct *p, const fmpz_mpoly_ctx_struct *ctx);

#endif
