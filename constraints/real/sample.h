#ifndef CONSTRAINTS_REAL_SAMPLE_H
#define CONSTRAINTS_REAL_SAMPLE_H
#include "constraints/flint.h"
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

/* Exact real points and the real roots of polynomials over them.
   A sample is a point (s_1 … s_k) whose coordinates are rational or roots: s_i is the only root
   within its enclosure of a polynomial over s_1 … s_{i-1}, and a simple root of it. Signs are
   decided by Arb balls; that a value is zero is not guessed from a small ball but proved by one
   that lies below the value's separation bound: from the degrees and lengths of the polynomials
   follows a number b such that the value is zero or at least 2^-b (Liouville's inequality, see
   separation.c), so every sign is exact. No norms, no minimal polynomials, no algebra over the
   point on this path. Polynomials are fmpz_mpoly over one FLINT context; variables are its
   generators; a sample assigns generators one after another, in any order. */

/* A deterministic allowance of work, shared by everything that works on one question. */
struct budget {
    uint64_t left;
    bool spent;            /* what is derived from here on is void */
    const char *reason;    /* why, static text; NULL while not spent */
};
/* False, and the budget is spent, if less than `steps` is left. */
bool budget_take(struct budget *budget, uint64_t steps);

enum { SIGN_UNDECIDED = 2 };   /* beside -1, 0, 1: the budget is spent */

struct sample;

/* A real number over the first k coordinates of a sample: valid as long as those are unchanged and
   its arena lives. */
struct root;

struct sample *sample_new(struct arena *arena, const fmpz_mpoly_ctx_struct *ctx,
                          struct budget *budget);
size_t sample_height(const struct sample *sample);
/* The generator of coordinate i (from 0). */
int sample_variable(const struct sample *sample, size_t i);
bool sample_assigns(const struct sample *sample, int variable);
/* Coordinate for `variable`, copied. */
void sample_push_rational(struct sample *sample, int variable, const fmpq *value);
/* `root` was computed over the present coordinates for `variable`; kept by reference. A rational
   root counts as rational. */
void sample_push_root(struct sample *sample, const struct root *root);
void sample_pop(struct sample *sample);
/* Are all coordinates rational? */
bool sample_rational(const struct sample *sample);
/* The value of coordinate i if rational, else NULL. */
const fmpq *sample_value(const struct sample *sample, size_t i);
const struct root *sample_root(const struct sample *sample, size_t i);   /* NULL if rational */

/* Sign of p at the sample: -1, 0, 1, SIGN_UNDECIDED. All variables of p are assigned. */
int sample_sign(struct sample *sample, const fmpz_mpoly_t p);
/* Degree of p in `variable` over the sample (its other variables are assigned): the highest
   exponent whose coefficient is not zero there; -1 if p vanishes identically, -2 if undecided. */
int sample_degree(struct sample *sample, const fmpz_mpoly_t p, int variable);
/* The distinct real roots of p(sample, variable) in ascending order, in `arena`; *count of them.
   Returns false if p vanishes identically over the sample (*count = 0) or the budget is spent (look
   at it). Each root remembers p and its index (from 1), see root_polynomial. p must outlive the
   roots. */
bool sample_roots(struct sample *sample, struct arena *arena, const fmpz_mpoly_struct *p,
                  int variable, const struct root ***roots, size_t *count);

/* The rational number q as a root (of den*x - num) over the present coordinates. */
const struct root *root_of_rational(struct sample *sample, struct arena *arena, int variable,
                                    const fmpq *q);
/* The polynomial it was asked of and its index among that polynomial's real roots over the sample,
   from 1. */
const fmpz_mpoly_struct *root_polynomial(const struct root *root, size_t *index);
int root_variable(const struct root *root);
/* NULL if the root is not known to be rational (roots of degree one over rational samples always
   are). */
const fmpq *root_rational(const struct root *root);
/* -1, 0, 1: exact comparison of two roots of one variable over the same coordinates;
   SIGN_UNDECIDED. */
int root_compare(struct sample *sample, const struct root *a, const struct root *b);
int root_compare_rational(struct sample *sample, const struct root *a, const fmpq *q);
/* A rational strictly between two roots, a < b, NULL = unbounded: an integer if there is one (the
   one nearest to zero), else the dyadic of least denominator. False if the budget is spent. */
bool root_between(struct sample *sample, const struct root *a, const struct root *b, fmpq_t value);
/* An enclosure of the root, relative accuracy at least `bits` bits (arb_t initialised by the
   caller). */
bool root_enclose(struct sample *sample, const struct root *root, slong bits, arb_t ball);

/* For output only (computes norms): the primitive irreducible univariate polynomial of coordinate i
   and rational numbers lo < hi such that the coordinate is its only real root in [lo, hi]; a
   rational coordinate gives x - q … as den*x - num with lo = hi = q. False if the budget is spent.
 */
bool sample_minimal(struct sample *sample, size_t i, fmpz_poly_t polynomial, fmpq_t lo, fmpq_t hi);

#endif
