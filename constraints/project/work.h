#ifndef CONSTRAINTS_PROJECT_WORK_H
#define CONSTRAINTS_PROJECT_WORK_H
/* The workshop of projection: everything one elimination makes lives in a scratch arena, over a
   FLINT context of just the variables that occur. Polynomials are interned with their
   factorisation, so that equality is equality of pointers; formulas without quantifiers are
   interned too, so that what is equal is done once. An atom says which signs a product of
   irreducible polynomials may have; its negation is the complement. Every node is in negation
   normal form. */
#include "base/vec.h"
#include "constraints/project.h"
#include "constraints/ring.h"

/* A set of signs. */
enum { SIGN_NEGATIVE = 1, SIGN_ZERO = 2, SIGN_POSITIVE = 4, SIGN_ANY = 7 };
unsigned signs_mirror(unsigned signs);

/* Interned: primitive, not constant, leading coefficient positive. */
struct polynomial {
    fmpz_mpoly_t p;
    size_t id;                        /* by age */
    uint64_t hash, uses;              /* uses: bit set of variables */
    const struct polynomial *shape;   /* p without its constant, primitive; itself if there is
                                         none */
    fmpq_t threshold;                 /* p > 0 where shape > threshold */
    int variable;                     /* shape is this variable; -1 */
    int definite;                     /* 2: a sum of squares and a positive constant, 1: a sum of
                                         squares; 0 */
    const struct product *factors;    /* NULL = not yet; a factor has itself alone */
};

/* sign * product of factors with multiplicities 1 and 2 (an odd one counts as 1, an even one as 2),
   oldest first. */
struct product {
    int sign;                         /* -1, 0, 1 */
    VEC(const struct polynomial *) at;
    VEC(unsigned) multiplicity;
};

enum node_kind { NODE_FALSE, NODE_TRUE, NODE_ATOM, NODE_AND, NODE_OR };

struct node {
    enum node_kind kind;
    unsigned signs;                               /* atom: what the product may have; neither none
                                                     nor all */
    const struct polynomial *const *factors;      /* atom: distinct, oldest first */
    const struct node *const *at;                 /* operands, two or more, of another kind */
    size_t count;                                 /* factors or operands */
    uint64_t uses, hash;
    size_t id;
    const struct node *negation;                  /* NULL = not made yet */
};

struct work {
    struct arena *arena;
    struct ring *ring;
    fmpz_mpoly_ctx_t ctx;
    int variables;
    int ring_variable[RING_CAPACITY];             /* by local variable */
    int local_variable[RING_CAPACITY];            /* by ring variable; -1 */
    uint64_t steps;                               /* left */
    bool broken;                                  /* what is derived from here on is void */
    const char *reason;
    struct polynomial **polynomials;              /* hash table */
    size_t polynomial_count, polynomial_capacity;
    const struct node **nodes;                    /* hash table */
    size_t node_count, node_capacity;
    const struct node *truth, *falsity;
    size_t divisions;                             /* of equations, so far */
};

/* What is known of the shapes' values. */
struct known {
    const struct polynomial *shape;
    const struct polynomial *lo, *hi;             /* value >= their threshold, <= theirs; NULL =
                                                     unbounded */
    bool lo_strict, hi_strict;
    VEC(const struct polynomial *) holes;         /* value != their threshold */
};
struct theory {
    VEC(struct known) known;
    VEC(const struct node *) products;            /* atoms with several factors that hold */
};

/* work.c */
struct work *work_new(struct arena *scratch, struct ring *ring, uint64_t variables, uint64_t steps);
/* Takes from the budget; false if it is spent. */
bool work_charge(struct work *w, uint64_t steps);
/* Always false. */
bool work_break(struct work *w, const char *reason);
/* A zero polynomial that lives as long as the work. */
fmpz_mpoly_struct *work_mpoly(struct work *w);
/* a * b with its cost taken; zero if the work is broken. */
void work_mul(struct work *w, fmpz_mpoly_t product, const fmpz_mpoly_t a, const fmpz_mpoly_t b);
void work_coefficient(const struct work *w, fmpz_mpoly_t coefficient, const fmpz_mpoly_t p,
                      int variable, unsigned exponent);
unsigned work_degree(const struct work *w, const fmpz_mpoly_t p, int variable);
/* The ring's polynomial, up to a positive factor, and back, in `arena`. */
void work_take(struct work *w, fmpz_mpoly_t p, const struct poly *from);
const struct poly *work_give(struct work *w, struct arena *arena, const fmpz_mpoly_t p);

/* polynomials.c */
/* The interned polynomial of p, which is not constant; *sign: p = positive * sign * it. */
struct polynomial *polynomial_intern(struct work *w, const fmpz_mpoly_t p, int *sign);
struct product product_one(void);
struct product product_copy(struct work *w, const struct product *product);
void product_multiply(struct work *w, struct product *product, const fmpz_mpoly_t p);
void product_multiply_factor(struct work *w, struct product *product,
                             const struct polynomial *factor);

/* nodes.c */
/* The product's sign is one of `signs`. */
const struct node *node_product(struct work *w, const struct product *product, unsigned signs);
const struct node *node_sign(struct work *w, const fmpz_mpoly_t p, unsigned signs);
const struct node *node_factor(struct work *w, const struct polynomial *factor, unsigned signs);
/* Flattened, without duplicates and constants. */
const struct node *node_and(struct work *w, const struct node *const *at, size_t count);
const struct node *node_or(struct work *w, const struct node *const *at, size_t count);
const struct node *node_and2(struct work *w, const struct node *a, const struct node *b);
const struct node *node_or2(struct work *w, const struct node *a, const struct node *b);
const struct node *node_not(struct work *w, const struct node *node);
/* The conjuncts of a node: its operands if it is an AND, none if it is true, else itself. */
/* The node with each atom replaced by what `atom` makes of it; each node below is looked at
   once. */
const struct node *node_map(struct work *w, const struct node *node,
                            const struct node *(*atom)(void *state, const struct node *),
                            void *state);
size_t node_conjuncts(const struct node *const *node, const struct node *const **at);
size_t node_disjuncts(const struct node *const *node, const struct node *const **at);

/* theory.c */
struct theory *theory_copy(struct work *w, const struct theory *theory);
/* NULL if nothing is known. */
const struct known *theory_known(const struct theory *theory, const struct polynomial *shape);
/* An atom holds. False if that contradicts what is known. */
bool theory_add(struct work *w, struct theory *theory, const struct node *atom);
/* The signs a factor can have: by its shape alone, by the bounds of the variables in it alone, by
   both. */
unsigned theory_signs(const struct theory *theory, const struct polynomial *factor);
unsigned theory_signs_bounds(struct work *w, const struct theory *theory,
                             const struct polynomial *factor);
unsigned theory_signs_deep(struct work *w, const struct theory *theory,
                           const struct polynomial *factor);
/* The same for a product. */
unsigned theory_product_signs(struct work *w, const struct theory *theory,
                              const struct product *product);

/* reduce.c */
/* Equivalent under the theory: what it implies goes, bounds of one shape are merged, signs known
   are used. */
const struct node *node_reduce(struct work *w, const struct node *node,
                               const struct theory *theory);

/* points.c */
/* A test point for x: (a + b sqrt(c)) / d, beside it if epsilon is not 0, or an end of the line;
   `guard` says where it exists. */
struct point {
    enum { POINT_ROOT, POINT_BELOW, POINT_ABOVE } kind;
    const fmpz_mpoly_struct *a, *b, *c, *d;       /* b, c NULL: rational */
    int epsilon;                                  /* -1, 0, 1 */
    const struct node *guard;
};
typedef VEC(struct point) point_list;
/* Test points such that the node holds somewhere on the line of x iff it does at one of them (guard
   included). Each of its polynomials with x has degree at most two in x; false otherwise. */
bool points_make(struct work *w, const struct node *node, int x, const struct theory *theory,
                 point_list *points);
/* The real roots in x of a factor of degree one or two, guards included. */
void points_of_equation(struct work *w, const struct polynomial *factor, int x, point_list *points);

/* virtual.c */
/* The node at x = point, without x; the guard is not part of it. */
const struct node *point_substitute(struct work *w, const struct node *node, int x,
                                    const struct point *point);

/* pairs.c */
/* Is x bounded linearly in the conjunction, with coefficients of known sign? *pairs: how many atoms
   its elimination gives. */
bool pairs_applicable(struct work *w, const struct node *node, int x, const struct theory *theory,
                      size_t *pairs);
/* If so, the conjunction without x. */
const struct node *pairs_eliminate(struct work *w, const struct node *node, int x,
                                   const struct theory *theory);

/* block.c */
/* There are values of the variables in `block` (a bit set) such that the node holds; equivalent
   under the theory. */
const struct node *block_eliminate(struct work *w, const struct node *node, uint64_t block,
                                   const struct theory *theory);

/* cover.c: the same by coverings, whatever the degrees; is a node without other variables
   satisfiable, NULL if undecided. */
const struct node *covering_decide(struct work *w, const struct node *node);
const struct node *covering_eliminate(struct work *w, const struct node *node, uint64_t block,
                                      const struct theory *theory);
/* A whole formula with quantifiers; NULL if undecided. */
const struct node *covering_prenex(struct work *w, const struct formula *f,
                                   const struct theory *theory);

/* normal.c */
/* A readable equivalent: a disjunction of conjunctions where that is short. */
const struct node *node_normal(struct work *w, const struct node *node, const struct theory *theory,
                               struct sas context);

/* project.c */
const struct formula *node_formula(struct work *w, struct arena *arena, const struct node *node);
const struct node *formula_node(struct work *w, const struct formula *f,
                                const struct theory *theory);

#endif
