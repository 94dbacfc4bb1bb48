#ifndef CONSTRAINTS_COVER_TABLE_H
#define CONSTRAINTS_COVER_TABLE_H
/* The table of an engine: each polynomial that the search meets is interned, primitive and with a
   positive leading coefficient, under a number; what is computed from polynomials (irreducible
   factors, coefficients in a variable, reducta, derivatives, principal subresultant coefficients)
   is kept by number, so that it survives questions. Only the zeros of such polynomials matter to
   the projection; constants have no number. */
#include "constraints/ring.h"
#include "constraints/real/sample.h"

/* The number of a polynomial, or: */
enum {
    POLYNOMIAL_ZERO = -1,
    POLYNOMIAL_ONE = -2 /* a constant, not zero */,
    POLYNOMIAL_VOID = -3 /* budget spent */
};

/* The coefficients of a polynomial in one variable. */
struct shape {
    const struct shape *next;
    int variable;
    unsigned degree;
    const int *at;           /* degree + 1 polynomials */
};

struct polynomial {
    fmpz_mpoly_t value;
    uint64_t hash, variables;    /* the generators in it, a bit set */
    unsigned degree;             /* total */
    size_t terms;
    const int *factors;          /* irreducible, ascending; its own number alone if it is; NULL: not
                                    known yet */
    size_t factor_count;
    const struct shape *shapes;
};

struct table {
    struct arena *arena;
    const fmpz_mpoly_ctx_struct *ctx;
    struct budget *budget;       /* of the present question */
    struct polynomial **at;
    size_t count, capacity;
    int *slots;                  /* hash table of numbers + 1 */
    size_t slot_count;
    struct derived *derived;     /* hash table of what is computed from pairs */
    size_t derived_count, derived_capacity;
    size_t words;                /* of coefficients and exponents, about */
};

struct table *table_new(struct arena *arena, const fmpz_mpoly_ctx_struct *ctx);
/* The number of p made primitive; *sign (may be NULL) of the factor taken out. p is destroyed. */
int table_intern(struct table *table, fmpz_mpoly_t p, int *sign);
/* p over the ring as a polynomial of the table's context times a positive number. */
void table_convert(const struct table *table, fmpz_mpoly_t converted, const struct poly *p);
/* Polynomial p over the ring, in `arena`. */
const struct poly *table_poly(const struct table *table, struct arena *arena, struct ring *ring,
                              int p);
/* Fills in the irreducible factors of p. False if the budget is spent. */
bool table_factor(struct table *table, int p);
/* The exponents of the factors of p, which are known, in `arena`. */
const unsigned *table_exponents(struct table *table, struct arena *arena, int p);
/* p contains the variable. */
bool table_uses(const struct table *table, int p, int variable);
unsigned table_degree(struct table *table, int p, int variable);
const struct shape *table_shape(struct table *table, int p, int variable);
/* p without the terms of degree above `degree` in the variable. */
int table_reductum(struct table *table, int p, int variable, unsigned degree);
int table_derivative(struct table *table, int p, int variable);
/* The k-th principal subresultant coefficient, k below both degrees. */
int table_subresultant(struct table *table, int p, int q, int variable, unsigned k);
/* About how many bytes the table holds. */
size_t table_size(const struct table *table);

#endif
