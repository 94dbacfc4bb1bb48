#ifndef CONSTRAINTS_REAL_REAL_H
#define CONSTRAINTS_REAL_REAL_H
#include "constraints/real/dense.h"

/* What is behind samples and roots, for the files of this folder only. Every irrational coordinate
   is a root: an interval and a polynomial over the coordinates before it (its rational ones
   substituted) of which it is a simple root and the only one in the interval. */

enum {
    PRECISION_FIRST = 64,
    PRECISION_LIMIT = 1 << 16,    /* bits to separate roots that are known to be simple; */
    EVALUATION_LIMIT = 1 << 18,   /* and to decide signs; beyond them the budget is declared
                                     spent */
};

/* What separation bounds are made from: the degrees of an integer polynomial by variable and the
   bits of its length, the sum of the absolute values of its coefficients. */
struct size {
    double bits;
    double *degrees;
};

/* A polynomial whose specialisation at the sample has the roots that refer to it as simple roots.
   Immutable except for the enclosures of its coefficients, which are a cache. */
struct family {
    struct arena *arena;
    const fmpz_mpoly_ctx_struct *ctx;
    int variable;
    bool univariate;        /* no coordinate occurs in it: */
    fmpz_poly_t f;          /* if univariate */
    struct dense d;         /* in the variable; if univariate made when first asked for, see
                               family_dense */
    arb_poly_t enclosure;   /* coefficients at the sample, to `precision` bits; 0 = none yet */
    slong precision;
    struct size size;       /* degrees NULL: not known yet */
};

/* Roots that were computed together: of one polynomial over one sample. */
struct batch {
    struct arena *arena;
    int variable;
    const fmpz_mpoly_struct *asked;
    struct root *roots;     /* ascending */
    size_t count, capacity;
};

struct root {
    const struct batch *batch;
    bool rational;
    fmpq value;             /* if rational */
    struct family *family;  /* otherwise: its only root in [lo, hi], */
    arf_struct lo, hi;      /* neither end a root, zero not inside; shrinks */
    int sign;               /* of the family's polynomial at lo */
};

/* Powers 0 … count-1 of a coordinate, to `precision` bits. */
struct powers {
    arb_ptr at;
    slong count, capacity, precision;
};

struct coordinate {
    int variable;
    struct root *root;      /* NULL: rational, */
    fmpq value;
    fmpz *num, *den;        /* powers of its numerator and denominator, `count` of each */
    slong count, capacity;
    struct powers low, high;   /* at PRECISION_FIRST; at the last higher precision */
};

struct sample {
    struct arena *arena;
    struct algebra g;
    struct coordinate *at;  /* room for all variables */
    size_t height, algebraic;
    int variables;
    int *position;          /* coordinate by variable, -1 */
    /* What sample_look saw: the last polynomial looked at. */
    ulong *exponents;       /* by term, by variable */
    size_t capacity;
    slong *degrees;         /* by variable; -1 for zero */
    struct coordinate **use;
    size_t used;            /* the coordinates that occur */
};

/* An interval with one simple root inside; sign of the polynomial at lo. */
struct interval {
    arf_struct lo, hi;
    int sign;
};

/* budget.c */
void budget_end(struct budget *budget, const char *reason);

/* sample.c */
/* Unpacks p; does an irrational coordinate occur in it? */
bool sample_look(struct sample *sample, const fmpz_mpoly_struct *p);
/* The polynomial looked at last with the rational coordinates put in, times a positive number. */
/* No irrational coordinate occurs: as polynomial in `variable` (-1: the value is its constant
   coefficient). */
void sample_specialise_univariate(struct sample *sample, fmpz_poly_t f, const fmpz_mpoly_struct *p,
                                  int variable);
/* What was looked at is used up. */
void sample_specialise(struct sample *sample, fmpz_mpoly_t r, const fmpz_mpoly_struct *p);

/* enclose.c */
/* Enclosures of the coefficients of p in `variable` (-1: its value) at the sample; length entries,
   more than the degree. */
void sample_enclose(struct sample *sample, arb_ptr at, slong length, const fmpz_mpoly_struct *p,
                    int variable, slong bits);
/* The family's coefficients at a working precision of `bits`. */
const arb_poly_struct *family_enclose(struct sample *sample, struct family *family, slong bits);
/* Shrinks the interval of an irrational root until its width is at most 2^-bits times its least
   absolute value. False if the budget is spent. */
bool root_refine(struct sample *sample, struct root *root, slong bits);
/* Shrinks it until its width is below 2^exponent. */
bool root_narrow(struct sample *sample, struct root *root, slong exponent);
/* Shrinks the interval by a polynomial given by balls, which has its root as the only one inside,
   as far as that goes. */
void root_polish(struct root *root, const arb_poly_t f, slong bits);
/* Enclosures of the coefficients. */
void dense_enclose(struct sample *sample, arb_poly_t f, const struct dense *a, slong bits);
/* Sign of the family's polynomial at a dyadic number where it is known not to be zero. */
int family_sign_at(struct sample *sample, struct family *family, const arf_t x);

/* separation.c */
void size_init(const struct sample *sample, struct size *size);
void size_clear(struct size *size);
/* Makes the size one of a polynomial with p as a further coefficient. */
void size_add(struct sample *sample, struct size *size, const fmpz_mpoly_struct *p);
const struct size *family_size(struct sample *sample, struct family *family);
/* From a polynomial of degree q in a variable to its norm over the polynomial d of degree n in
   it. */
void size_eliminate(const struct sample *sample, struct size *size, double q, const struct size *d,
                    slong n);
/* b such that a polynomial of this size in the irrational coordinates is zero at the sample or at
   least 2^-b in absolute value; uses the size up. */
double size_separation(struct sample *sample, struct size *size);
/* The sign of a number in the ball that is zero or at least 2^-separation; SIGN_UNDECIDED if the
   ball is too wide. */
int ball_sign(const arb_t ball, double separation);
/* The precision to try after `bits` gave this ball; the budget ends beyond EVALUATION_LIMIT. */
slong precision_next(struct budget *budget, slong bits, const arb_t ball, double separation);

/* sign.c */
/* Drops leading coefficients that vanish at the sample. */
void dense_strip(struct sample *sample, struct dense *a);
/* Sign of a at the root of its variable. */
int root_sign(struct sample *sample, struct root *root, const struct dense *a);

/* isolate.c */
/* The real roots of a polynomial (coefficients enclosed at `bits` bits, the last and the first not
   zero) that has no multiple ones, ascending, none of them zero. False if that cannot be told at
   this precision; attempts with different numbers cut the line at different places. */
bool roots_isolate(struct budget *budget, struct interval **at, size_t *count, const arb_poly_t f,
                   slong bits, int attempt);
void intervals_clear(struct interval *at, size_t count);

/* compare.c */
int arf_compare_integer(const arf_t x, const fmpz_t m);

/* roots.c */
struct family *family_new(struct arena *arena, const fmpz_mpoly_ctx_struct *ctx, int variable);
/* The polynomial by its coefficients, of a univariate family too. */
const struct dense *family_dense(const struct sample *sample, struct family *family);
slong family_degree(const struct family *family);
struct batch *batch_new(struct arena *arena, const fmpz_mpoly_struct *asked, int variable,
                        size_t capacity);
struct root *batch_add(struct batch *batch);
/* Intervals, which are used up, to roots of the family; with zero, if it is a root, in its
   place. */
void batch_intervals(struct batch *batch, struct family *family, struct interval *at, size_t count,
                     bool zero);
/* The same for one root of another batch; *zero becomes false when zero has been added. */
void batch_move(struct batch *batch, struct root *from, bool *zero);
/* A rational root, zero at first. */
struct root *batch_rational(struct batch *batch);
/* Adds the roots of the family's polynomial, which must be simple, and the root zero if `zero`; at
   precisions growing from PRECISION_FIRST. False if that failed `attempts` times or the budget is
   spent. */
bool batch_isolate(struct sample *sample, struct batch *batch, struct family *family, bool zero,
                   int attempts);
/* Adds the roots of f, which is not zero, ascending. False if the budget is spent. f is used up. */
bool batch_univariate(struct sample *sample, struct batch *batch, fmpz_poly_t f);

/* multiple.c */
/* Adds the distinct real roots of a, of degree three at least, which may be multiple, and zero if
   `zero`. a is used up. */
bool batch_multiple(struct sample *sample, struct batch *batch, struct dense *a, bool zero);

/* over.c */
/* The same for a polynomial in the irrational coordinates and the batch's variable; false also if
   it vanishes identically at the sample. q is used up. */
bool batch_over(struct sample *sample, struct batch *batch, fmpz_mpoly_t q);

#endif
