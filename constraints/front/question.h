#ifndef CONSTRAINTS_QUESTION_H
#define CONSTRAINTS_QUESTION_H
/* One question to the solver, in a scratch arena: a conjunction over the variables that occur in
   it, with numerators and a FLINT context of just that many variables, so that exponent vectors
   stay short. A state is what is known at one point of the reasoning: facts, bounds of single
   variables, and the steps that lead back to the variables that are gone. States are copied where
   the reasoning branches; facts and bounds are immutable and shared. Every fact carries its
   origins, the set of assertions it was derived from, so that a contradiction names an infeasible
   subset. */
#include "constraints/ring.h"
#include "constraints/solve.h"

/* Polynomial `relation` 0. */
enum fact_relation { FACT_EQ, FACT_NE, FACT_GE, FACT_GT };

struct fact {
    const fmpz_mpoly_struct *p;
    enum fact_relation relation;
    const uint64_t *origins;     /* bit set, question.words words */
    uint64_t variables;          /* bit set */
    const uint16_t *degrees;     /* by variable */
    const struct linear **linear;   /* by variable of degree one: the fact as g x + h; NULL = not
                                       asked for yet */
};

/* The coefficients of a polynomial g x + h, and their negatives. */
struct linear {
    const fmpz_mpoly_struct *g, *h, *minus_g, *minus_h;
};

/* lo <= x or x <= hi, strict or not. */
struct bound {
    const fmpq *value;
    bool strict;
    const uint64_t *origins;
};

/* x >= h / g (lower) or x <= h / g (upper), g positive under the facts; strict or not. */
struct limit {
    const fmpz_mpoly_struct *g, *h;
    bool upper, strict;
    const uint64_t *origins;
};

/* How a variable left the system; from newest to oldest, a point of the rest is extended to it. */
struct step {
    const struct step *older;
    int variable;
    const fmpz_mpoly_struct *numerator, *denominator;  /* variable = numerator / denominator;
                                                          NULL: */
    const struct limit *limits;                        /* any value within these */
    size_t count;
};

struct state {
    const struct fact **facts;
    size_t count, capacity;
    const struct bound **lo, **hi;   /* by variable; NULL = none */
    bool *gone;                      /* by variable */
    const struct step *trail;
    size_t depth;                    /* assumptions made so far */
    uint64_t changed;                /* variables whose bounds changed since the facts were last
                                        looked at */
};

enum { ASSUMPTION_LIMIT = 64 };

struct question {
    struct arena *arena;
    struct ring *ring;
    fmpz_mpoly_ctx_t ctx;
    int variables;
    int ring_variable[RING_CAPACITY];  /* by local variable */
    int local_variable[RING_CAPACITY]; /* by ring variable, -1 = does not occur */
    size_t assertions, words;          /* origins: one bit per assertion, then ASSUMPTION_LIMIT
                                          bits */
    uint64_t steps;                    /* left of the budget */
    bool broken;                       /* the budget or a limit ended the work: what is derived from
                                          here on is void */
    const char *reason;                /* first reason not to know, NULL so far */
    const uint64_t *conflict;          /* origins of the last contradiction */
    fmpq *point;                       /* after SAS_NONEMPTY: values by local variable */
};

/* Signs a polynomial can have: a set of these. */
enum { SIGN_NEGATIVE = 1, SIGN_ZERO = 2, SIGN_POSITIVE = 4, SIGN_ANY = 7 };

/* question.c: the frame */
struct question *question_new(struct arena *scratch, struct ring *ring, const struct constraint *at,
                              size_t count, uint64_t steps);
struct state *question_state(struct question *q);
/* Adds assertion i to the state; false if that is a contradiction. */
bool question_assert(struct question *q, struct state *state, size_t i, struct constraint c);
/* Adds all the assertions that the question was made for, bounds of single variables first, which
   is faster than one by one; false if that is a contradiction. */
bool question_assert_all(struct question *q, struct state *state, const struct constraint *at);
/* The constraint's polynomial, up to a positive factor, in the question's variables; negated for <
   and <=. */
fmpz_mpoly_struct *question_polynomial(struct question *q, struct constraint c);
fmpz_mpoly_struct *mpoly_new(struct question *q);
/* Zeros. */
fmpq *rational_new(struct question *q);
fmpq *rationals_new(struct question *q, size_t count);
const uint64_t *origins_union(struct question *q, const uint64_t *a, const uint64_t *b);
const uint64_t *origins_single(struct question *q, size_t bit);
const uint64_t *origins_without(struct question *q, const uint64_t *a, size_t bit);
bool origins_have(const uint64_t *a, size_t bit);
struct state *state_copy(struct question *q, const struct state *state);
/* Takes the writing of p from the budget; false, and the question is broken, if it is spent or p is
   beyond the limits. */
bool question_spend(struct question *q, const fmpz_mpoly_struct *p);
bool question_charge(struct question *q, uint64_t steps);
/* The same before a product of a and b is written. */
bool question_spend_product(struct question *q, const fmpz_mpoly_struct *a,
                            const fmpz_mpoly_struct *b);
void question_doubt(struct question *q, const char *reason);

/* polynomial.c: arithmetic of local polynomials */
/* den^degree * p(variable = num / den) */
fmpz_mpoly_struct *mpoly_substitute(struct question *q, const fmpz_mpoly_struct *p, int variable,
                                    const fmpz_mpoly_struct *num, const fmpz_mpoly_struct *den);
fmpz_mpoly_struct *mpoly_coefficient(struct question *q, const fmpz_mpoly_struct *p, int variable,
                                     unsigned exponent);
fmpz_mpoly_struct *mpoly_constant(struct question *q, const fmpz *value);
/* a * b - c * d */
fmpz_mpoly_struct *mpoly_cross(struct question *q, const fmpz_mpoly_struct *a,
                               const fmpz_mpoly_struct *b, const fmpz_mpoly_struct *c,
                               const fmpz_mpoly_struct *d);
unsigned mpoly_degree(const struct question *q, const fmpz_mpoly_struct *p, int variable);
/* The only variable of p, -1 if there is none or more than one. */
int mpoly_univariate(const struct question *q, const fmpz_mpoly_struct *p);
/* Value at a point of rationals by local variable. */
void mpoly_value(struct question *q, fmpq_t value, const fmpz_mpoly_struct *p, const fmpq *point);

/* sign.c: what bounds say about signs */
/* The signs of -p for those of p. */
unsigned signs_turn(unsigned signs);
/* The possible signs of p; *origins: of the bounds used (empty set if none). */
unsigned sign_of(struct question *q, const struct state *state, const fmpz_mpoly_struct *p,
                 const uint64_t **origins);
/* p with every variable counted from its bound, so that it is not negative there: a positive
   multiple of p(lo + x, hi - y, ...); free[v] is set for variables without bounds; *origins as
   above. */
fmpz_mpoly_struct *sign_shift(struct question *q, const struct state *state,
                              const fmpz_mpoly_struct *p, bool *unbounded,
                              const uint64_t **origins);

/* state.c: facts and bounds */
/* Adds p relation 0; takes p over. False on contradiction (question.conflict says from what). */
bool state_add(struct question *q, struct state *state, fmpz_mpoly_struct *p,
               enum fact_relation relation, const uint64_t *origins);
/* Keeps the better bound of a variable; false if its two sides now exclude each other. */
bool state_bound(struct question *q, struct state *state, int v, bool upper, struct bound bound);
/* Replaces `variable` by num / den everywhere, den positive under the facts. */
bool state_substitute(struct question *q, struct state *state, int variable,
                      const fmpz_mpoly_struct *num, const fmpz_mpoly_struct *den,
                      const uint64_t *origins);
/* Looks at the facts again until no bound changes. */
bool state_settle(struct question *q, struct state *state);

/* eliminate.c: equations and pairs */
/* Substitutes equations and eliminates variables of the first degree as long as that pays. False on
   contradiction. */
bool state_eliminate(struct question *q, struct state *state);
/* A polynomial whose sign, were it known, would let a variable be eliminated; NULL if there is
   none. */
const fmpz_mpoly_struct *state_obstacle(struct question *q, const struct state *state);

/* point.c: points */
/* A simple rational between two bounds (NULL = none); false if there is none. */
bool rational_between(fmpq_t value, const fmpq *lo, bool lo_strict, const fmpq *hi, bool hi_strict);
/* Starts question.point: a simple value within its bounds for each variable still there. */
bool point_start(struct question *q, const struct state *state);
/* Do all facts hold at question.point? */
bool point_holds(struct question *q, const struct state *state);
/* Gives the variables that are gone their values, along the trail. */
bool point_extend(struct question *q, const struct state *state);

/* linear.c: linearisation, each monomial a variable of its own */
/* SAS_EMPTY, SAS_NONEMPTY with question.point complete, or SAS_UNKNOWN; with products of pairs of
   facts if asked. */
enum verdict state_linear(struct question *q, const struct state *state, bool products);

/* univariate.c: facts in one variable */
/* SAS_EMPTY if the facts in some single variable exclude each other, else SAS_UNKNOWN. Where those
   facts leave one value or bounds better than the known ones, the state learns them
   (state.changed). */
enum verdict state_univariate(struct question *q, struct state *state);
/* Values for `variable`, simple ones first, one in each interval that its own facts leave; at most
   `limit`. */
size_t variable_samples(struct question *q, const struct state *state, int variable, fmpq *values,
                        size_t limit);

/* propagate.c: interval propagation */
/* SAS_EMPTY if narrowing the bounds by the facts ends in a contradiction, else SAS_UNKNOWN; the
   state is not changed. */
enum verdict state_propagate(struct question *q, const struct state *state);

/* decide.c: the order of the methods */
enum verdict state_decide(struct question *q, struct state *state);

#endif
