#ifndef CONSTRAINTS_POLY_H
#define CONSTRAINTS_POLY_H
#include "base/arena.h"
#include "base/str.h"
#include <stdint.h>

/* Polynomials with exact rational coefficients over named variables. Values are immutable and live
   in the arena of their ring; every operation takes polynomials of one ring and returns a new one.
   Behind it: FLINT's fmpq_mpoly (numerator polynomial and content), registered with the arena.
   Limits: a result of total degree beyond POLY_DEGREE_LIMIT or of more than POLY_PRODUCT_LIMIT
   products of terms is NULL, and arithmetic on NULL is NULL, so that one test at the end of a
   computation suffices. */

enum { RING_CAPACITY = 64, POLY_DEGREE_LIMIT = 1 << 12, POLY_PRODUCT_LIMIT = 1 << 20 };

struct ring;
struct poly;

struct ring *ring_new(struct arena *arena);
struct arena *ring_arena(const struct ring *ring);
/* From now on checks of solvers over the ring and its views add to *questions, which must outlive
   the ring. */
void ring_count_questions(struct ring *ring, uint64_t *questions);
/* The number of variable `name`, added at the end if new; -1 if the ring is full. */
int ring_variable(struct ring *ring, const char *name);
/* -1 if there is none. */
int ring_find(const struct ring *ring, const char *name);
int ring_count(const struct ring *ring);
const char *ring_name(const struct ring *ring, int variable);

const struct poly *poly_integer(struct ring *ring, int64_t value);
const struct poly *poly_rational(struct ring *ring, int64_t numerator, int64_t denominator);
const struct poly *poly_variable(struct ring *ring, int variable);

struct ring *poly_ring(const struct poly *p);
const struct poly *poly_add(const struct poly *p, const struct poly *q);
const struct poly *poly_sub(const struct poly *p, const struct poly *q);
const struct poly *poly_mul(const struct poly *p, const struct poly *q);
const struct poly *poly_neg(const struct poly *p);
const struct poly *poly_scale(const struct poly *p, int64_t numerator, int64_t denominator);
const struct poly *poly_power(const struct poly *p, unsigned exponent);
/* p with `variable` replaced by q. */
const struct poly *poly_substitute(const struct poly *p, int variable, const struct poly *q);
/* p as a polynomial of ring `to`, variable v as variable at[v]; `at` has RING_CAPACITY entries,
   different ones for the variables of p. NULL for NULL. */
const struct poly *poly_rename(struct ring *to, const struct poly *p, const int *at);
/* NULL if q does not divide p. */
const struct poly *poly_divide_exact(const struct poly *p, const struct poly *q);

bool poly_equal(const struct poly *p, const struct poly *q);
bool poly_is_zero(const struct poly *p);
bool poly_is_constant(const struct poly *p);
/* True and *value set if p is an integer constant that fits. */
bool poly_get_integer(const struct poly *p, int64_t *value);
unsigned poly_degree(const struct poly *p, int variable);
unsigned poly_total_degree(const struct poly *p);
bool poly_uses(const struct poly *p, int variable);
/* The coefficient of variable^exponent, a polynomial without `variable`. */
const struct poly *poly_coefficient(const struct poly *p, int variable, unsigned exponent);

size_t poly_terms(const struct poly *p);
/* Term i (in the ring's order): coefficient as numerator/denominator (false if one does not fit in
   64 bits) and the exponents, RING_CAPACITY entries by variable. */
bool poly_term(const struct poly *p, size_t i, int64_t *numerator, int64_t *denominator,
               unsigned exponents[RING_CAPACITY]);
/* p over `ring`: variable v of p's ring becomes variables[v], which is read where p uses v. */
const struct poly *poly_map(struct ring *ring, const struct poly *p, const int *variables);

/* The least common denominator of p's coefficients (0 if it leaves 64 bits). */
int64_t poly_denominator(const struct poly *p);

/* Exact value at an integer point, one entry per variable of the ring. False if it is no integer or
   leaves 64 bits. */
bool poly_evaluate(const struct poly *p, const int64_t *point, int64_t *value);
/* -1, 0, 1: exact sign at a rational point given as numerators and denominators. */
int poly_sign_at(const struct poly *p, const int64_t *numerators, const int64_t *denominators);

/* "2*s*B + 2": terms by falling degree, variables of a term in ring order; C-like operators, powers
   as s^2. */
void poly_print(struct str *out, const struct poly *p);
char *poly_text(struct arena *arena, const struct poly *p);
/* Reads what poly_print writes, also parentheses and rational numbers; new names are added to the
   ring. NULL and *error set (a message in the ring's arena) on a syntax error. */
const struct poly *poly_read(struct ring *ring, const char *text, const char **error);

#endif
