#ifndef CONSTRAINTS_HANDELMAN_H
#define CONSTRAINTS_HANDELMAN_H
/* The search for one sum of products; behind product.h. */
#include "base/vec.h"
#include "constraints/product/product.h"
#include "constraints/ring.h"

struct product_factor {
    enum { FACTOR_HYPOTHESIS, FACTOR_TIMES, FACTOR_SQUARE } kind;
    size_t hypothesis;          /* index into the constraints */
    const struct poly *poly;    /* of the others */
};

struct product_term {
    fmpq *coefficient;
    struct product_factor *factors;
    size_t count;
};

struct product_proof {
    struct product_term *terms;
    size_t count;
};

enum { LEVEL_LIMIT = 7 };

struct product_search {
    int levels;    /* how far products are tried (products.c), at most LEVEL_LIMIT */
    bool plain;    /* variables that are not negative are counted from zero, not from their
                      bounds */
};

/* Terms as in docs/certificates.md that sum to zero, one of them positive; hypotheses are indices
   into the question. False if none was found; the budget may be spent then. */
bool handelman_prove(struct arena *arena, const struct product_question *question,
                     struct product_search search, struct budget *budget,
                     struct product_proof *proof);

/* product.c: the proof as text, `numbers` by index of a factor's hypothesis. */
void product_print(struct str *out, const struct product_proof *proof, const size_t *numbers);

/* chain.c: a proof by lemmas for what interval propagation refutes, as text; false if there is
   none. */
bool chain_prove(struct str *out, const struct product_question *question, struct budget *budget);

/* --- inside handelman.c and products.c --- */

enum { FACTOR_LIMIT = 4, POOL_LIMIT = 3000 };

struct form {
    fmpq_mpoly_struct *p;        /* in counted variables */
    enum relation relation;      /* RELATION_GE, GT or EQ */
    bool bound;                  /* is a counted variable itself */
};

/* The product of some forms, a monomial and (a + sign b)^2 or the square of a variable. */
struct candidate {
    const struct form *form;     /* value and relation */
    size_t factors[FACTOR_LIMIT], count;
    const ulong *monomial, *a, *b;   /* exponents; NULL = 1 (a NULL: no square) */
    int sign;
    int variable;                    /* whose square is a factor, as it is, not counted from a
                                        bound; -1: none */
    size_t *columns;             /* by term; SIZE_MAX for the constant one */
    bool active;
};

struct prover {
    struct arena *arena;
    struct ring *ring;
    struct budget *budget;
    fmpq_mpoly_ctx_t ctx;
    int variables, ring_variable[RING_CAPACITY];
    const struct constraint *at;
    size_t count;
    struct form *forms;                   /* by constraint */
    size_t bound_of[RING_CAPACITY];       /* the constraint that a variable is counted from;
                                             SIZE_MAX if none */
    fmpq_mpoly_struct *image[RING_CAPACITY];   /* the variable itself, in counted ones */
    fmpq *offset[RING_CAPACITY];          /* counted variable = that constraint's polynomial +
                                             offset, not negative */
    bool plain;
    VEC(struct candidate) pool;
    uint64_t terms;                       /* of all candidates */
    VEC(const ulong *) columns;
    size_t column_table[4096];            /* columns by hash, number + 1 */
    size_t pool_table[8192];              /* candidates by hash of their factors, number + 1 */
    struct simplex *simplex;
    VEC(size_t) rows;                     /* candidate by row of the program */
};

/* products.c: the candidates */
/* Adds the candidates of a level, as far as the limits and the budget allow. */
void products_level(struct prover *p, int level);
fmpq_mpoly_struct *products_value(struct prover *p);
/* May the monomial be a factor of an inequality: a product of bounds and squares? Is it
   positive? */
bool monomial_positive(const struct prover *p, const ulong *exponents);
bool monomial_strict(const struct prover *p, const ulong *exponents);

#endif
