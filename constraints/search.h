#ifndef CONSTRAINTS_SEARCH_H
#define CONSTRAINTS_SEARCH_H
/* What is between the solver's face and the methods: points as models, conjunctions, case
   distinction, proofs. All of one question lives in the arena of its search. */
#include "constraints/cover/cover.h"
#include "constraints/solve.h"

/* A point that satisfies what was asked: rational, or a sample of the coverings engine (variables
   outside it are 0). */
struct model {
    struct ring *ring;
    fmpq *values;              /* by ring variable; NULL: see sample */
    struct sample *sample;     /* assigns every variable of `ctx`, in an arena that outlives the
                                  model */
    const fmpz_mpoly_ctx_struct *ctx;
};

/* The coverings engine: made when first needed, again when the ring has grown. */
struct engine_holder {
    struct arena *arena;
    struct engine *engine;
};

struct search {
    struct arena *arena;
    struct ring *ring;
    struct engine_holder *engine;      /* the solver's */
    const bool *integer;               /* by ring variable; NULL: all real */
    struct budget budget;
    struct solver_statistics *statistics;
    const char *reason;                /* first reason not to know */
};

/* --- model.c --------------------------------------------------------------------------------- */

/* All zeros. */
struct model *model_new(struct arena *arena, struct ring *ring);
/* From an engine's sample; coordinates for the variables it does not assign are added to it.
   Rational where it is. */
struct model *model_of_sample(struct arena *arena, struct ring *ring, const struct engine *engine,
                              struct sample *sample);
/* -1, 0, 1, SIGN_UNDECIDED. */
int model_sign(const struct model *model, const struct poly *p);
/* 1, 0, -1 (undecided). */
int model_holds(const struct model *model, const struct formula *f);
/* Largest integer not above the variable's value, roughly for irrational ones; true if the value is
   that integer. */
bool model_floor(const struct model *model, int variable, fmpz_t floor);
/* The point for output; NULL if the budget is spent on an irrational coordinate. */
struct witness *model_witness(struct arena *arena, const struct model *model);

/* --- conjunction.c --------------------------------------------------------------------------- */

struct conjunction {
    enum verdict verdict;
    const struct model *model;   /* nonempty */
    const bool *core;            /* empty: by constraint, is it needed */
};
/* The front methods, then the coverings. */
struct conjunction conjunction_decide(struct search *search, const struct constraint *at,
                                      size_t count);
/* The coverings alone, on formulas; with a certificate if each of them is one hypothesis of these
   numbers. */
struct engine_answer coverings_ask(struct search *search, const struct formula *const *assertions,
                                   size_t count, const size_t *numbers);

/* --- cases.c --------------------------------------------------------------------------------- */

/* One hypothesis of docs/certificates.md: an atom, FALSE, or a disjunction; `negated` turns the
   formula. */
struct hypothesis {
    const struct formula *f;
    bool negated;
    struct constraint constraint;   /* atoms only */
    size_t assertion;               /* whence it comes; SIZE_MAX: a case */
    size_t number;                  /* position among the hypotheses of its path */
    size_t literal;                 /* atoms on a path (literals.h) */
    bool split;                     /* one of its operands is on the path */
};

struct hypotheses {
    struct hypothesis **at;
    size_t count, capacity;
};

enum proof_kind { PROOF_CONFLICT, PROOF_COVER, PROOF_CASES, PROOF_BRANCH };

/* Why a path has no solution. */
struct proof {
    enum proof_kind kind;
    struct hypothesis *const *members;    /* conflict, cover: the hypotheses that exclude each
                                             other */
    size_t count;                         /* of members, or of branches */
    const struct hypothesis *disjunction; /* cases */
    const struct proof *const *branches;
    const struct hypotheses *added;       /* by branch: the hypotheses it adds */
    int variable;                         /* branch: variable <= floor or variable >= floor + 1 */
    int64_t floor;
};

struct cases_answer {
    enum verdict verdict;
    const struct model *model;
    bool *core;                  /* by assertion */
    const struct proof *proof;
    struct hypotheses roots;     /* the assertions flattened */
};
/* Decides the conjunction of formulas without quantifiers. */
struct cases_answer cases_decide(struct search *search, const struct formula *const *assertions,
                                 size_t count);
/* Appends the hypotheses of f (negated), as docs/certificates.md numbers them. */
void hypotheses_append(struct arena *arena, struct hypotheses *hypotheses, struct hypothesis *h);
void hypotheses_add(struct arena *arena, struct hypotheses *hypotheses, const struct formula *f,
                    bool negated, size_t assertion);
/* A disjunction's operands, and what holds if the i-th is the first that does. */
size_t disjunction_count(const struct hypothesis *h);
void disjunction_add(struct arena *arena, struct hypotheses *hypotheses, const struct hypothesis *h,
                     size_t i);

/* --- proof.c --------------------------------------------------------------------------------- */

/* The text of an unsat certificate; NULL if a part of it was not found. */
const char *refutation_text(struct search *search, const struct hypotheses *roots,
                            const struct proof *proof);
/* The text of a sat certificate. */
const char *witness_text(struct arena *arena, const struct ring *ring,
                         const struct witness *witness);

#endif
