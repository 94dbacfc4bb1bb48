#ifndef OPTIMIZER_COUNTER_H
#define OPTIMIZER_COUNTER_H
#include "ir/kernel.h"

/* Counters: quantities of a kernel, in the paper's terms r_i (resources) and p_i (performance), and
   figures that are only reported. One row in optimizer/counter.def and one file in
   optimizer/counters/ each. */

enum counter_symbol {
#define X(SYMBOL, ...) COUNTER_##SYMBOL,
#include "optimizer/counter.def"
#undef X
    COUNTER_COUNT
};

enum { COUNTERS_MAX = 10 };             /* that a tree forks on */

/* Which auxiliary integers stand in the slots of a polynomial (slots.h). */
struct definition;
struct slots {
    int count;
    const struct definition *const *at;
};

enum counter_kind {
    COUNTER_RESOURCE,   /* the tree accepts value <= limit; where it cannot, the branch is lost */
    COUNTER_TARGET,     /* the tree accepts limit <= value; a missed target keeps the best effort */
    COUNTER_REPORT      /* reported for every leaf, never forked on */
};

/* How values of kernels that are launched one after the other make one value. */
enum parts_rule { PARTS_LARGEST, PARTS_LEAST, PARTS_SUM };

const char *counter_kind_name(enum counter_kind kind);

enum exactness {
    COUNTER_EXACT,
    COUNTER_UPPER,
    COUNTER_LOWER,
    COUNTER_ESTIMATE,
    COUNTER_MEASURED,
    COUNTER_INJECTED
};
const char *exactness_name(enum exactness exactness);

/* Where `guard` holds the counter is numerator / denominator (denominator NULL = 1,
   else positive). */
struct counter_piece {
    struct sas guard;
    const struct poly *numerator, *denominator;
    enum exactness exactness;
};
/* The form in which an auxiliary integer is printed; quotients are computed as below. Halvings are
   those of the numerator, rounding up, until 1 is left; only private rings have them (scope.h),
   since the solver knows nothing of them. */
enum auxiliary_form {
    AUXILIARY_CEILING,                  /* "ceil(B/(4*W_B))" */
    AUXILIARY_QUOTIENT,                 /* "floor(n/B0)", never below 0: numerator is n - B0 + 1 */
    AUXILIARY_HALVINGS                  /* "ceil(log2(B0))", 0 of a number below 1 */
};
/* A bounded auxiliary integer: min(cap, max(floor, multiple * ceil(numerator / (multiple *
   denominator)))). The dispatcher computes it exactly; the solver knows `facts`. Where a machine
   parameter of the quotient is unlimited it is its floor: what a device does not tell asks for
   nothing. A cap without limit has no effect. */
struct auxiliary {
    enum auxiliary_form form;
    int variable;                       /* its ring variable */
    const char *name;                   /* "q" */
    const char *text;                   /* "ceil(B/(4*W_B))" */
    const struct poly *numerator, *denominator;   /* denominator > 0 */
    int64_t multiple, floor;
    const struct poly *cap;             /* NULL = none; never below floor */
    uint64_t machine;                   /* ring variables that are machine parameters (set where the
                                           variable is) */
    int64_t least;                      /* the numerator is never below this; INT64_MIN = it may
                                           be anything */
    struct sas facts;                   /* bounds that follow from the definition */
};
/* Its value at an integer point (one entry per ring variable); false if it leaves 64 bits. */
bool auxiliary_evaluate(const struct auxiliary *auxiliary, const int64_t *point, int64_t *value);
/* Does the variable occur in its definition? */
bool auxiliary_uses(const struct auxiliary *auxiliary, int variable);
/* Text and facts of an auxiliary integer from its other fields. */
void auxiliary_define(struct arena *arena, struct auxiliary *auxiliary);
/* Are they defined alike? */
bool auxiliary_equal(const struct auxiliary *a, const struct auxiliary *b);

/* One test of a target. */
struct counter_test {
    int id;                             /* the same for the same test of another kernel */
    struct constraint accept;
    size_t n_keys;                      /* the test is never harder where none of these rises */
    const struct poly *const *keys;
};
/* What the tree tests of a target in place of limit <= value: at integer points it holds where, and
   only where, all tests hold or nothing could make those better that do not. Its polynomials belong
   to the space's ring, whatever the pieces do. */
struct counter_goal {
    size_t count;
    const struct counter_test *tests;
    struct slots slots;                 /* of the polynomials of the tests */
    size_t n_auxiliary;                 /* the integers in the slots, over the space's ring */
    const struct auxiliary *const *auxiliaries;
};

struct counter_value {
    size_t count;                       /* 0: could not be evaluated (a diagnostic was given, or of
                                           reports `reason`) */
    const char *reason;                 /* count 0: why there is no value; NULL */
    const struct counter_piece *pieces;
    size_t n_samples;                   /* an estimate fitted above so many samples … */
    int64_t residual;                   /* … lies above none of them by more than this */
    /* Of a value that the tree forks on: what stands in the slots of its polynomials. */
    struct slots slots;
    /* The bounded auxiliary integers that occur in the pieces, over their ring, each after those
       it uses. */
    size_t n_auxiliary;
    const struct auxiliary *const *auxiliaries;
    /* The value never rises where none of these does (e.g. threads and registers for registers per
       block); n_keys 0 = the pieces' numerators themselves. */
    size_t n_keys;
    const struct poly *const *keys;
    const struct counter_goal *goal;    /* of a target; NULL = the pieces are tested */
};

/* Does the value use the variable of its ring, by an auxiliary integer or itself? */
bool counter_value_uses(const struct counter_value *value, int variable);

/* That of all pieces together: estimate where one is or bounds of both kinds meet, exact only if
   all are. count > 0. */
enum exactness counter_exactness(const struct counter_value *value);

struct store;
struct search_space;

struct counter {
    const char *name;                   /* "registers" */
    const char *json;                   /* "registers_per_thread" */
    const char *unit;
    enum counter_kind kind;
    enum parts_rule parts;
    const char *limit;                  /* machine parameter: "R_B"; of a target the value aimed at;
                                           NULL of a report */
    const char *machine;                /* other machine parameters that it may use, by name */
    const char *sigma;                  /* the strategies that may better it, by name, in the order
                                           in which they are tried */
    struct counter_value (*evaluate)(struct store *store, const struct kernel *kernel);
    /* May a kernel of the region need this resource? The space is being made: it has no counters
       yet. NULL: of every region. */
    bool (*concerns)(const struct search_space *space);
};

const struct counter *counter_table(int symbol);
/* -1 if there is none. */
int counter_find(const char *name);

#endif
