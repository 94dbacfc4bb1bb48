#ifndef IR_ACCESS_CONTEXT_H
#define IR_ACCESS_CONTEXT_H
#include "base/vec.h"
#include "constraints/sas.h"
#include "ir/expr.h"

/* Signs of polynomials over integer parameters of which facts are known. */

enum truth { TRUTH_NO, TRUTH_YES, TRUTH_OPEN };

enum { FLAT_FACTORS = 8 };

struct flat_term {
    int64_t coefficient;
    int n_factors;
    uint8_t variables[FLAT_FACTORS], exponents[FLAT_FACTORS];
};

/* A polynomial in machine integers (flat.c). */
struct flat {
    size_t n_terms;
    const struct flat_term *terms;
    bool valid;
};
struct flat flat_of(struct arena *arena, const struct poly *p);
/* False if the value leaves 64 bits. */
bool flat_evaluate(const struct flat *flat, const int64_t *point, int64_t *value);

/* Ring variable `variable` = numerator / denominator, truncated as in C. */
struct floor_param {
    int variable;
    const struct poly *numerator, *denominator;
    struct flat flat_numerator, flat_denominator;
    enum type type;
    const struct var *var;            /* stands for it in expressions while they are built */
};

/* All floors of an analysis, in the order of definition. */
struct floors {
    VEC(struct floor_param) list;
};

struct answer {
    const struct poly *p;
    enum truth truth;
};

enum { POOL_POINTS = 40 };

struct presburger;

/* Integer values of the ring's variables at which every fact holds. */
struct context {
    struct arena *arena;
    struct ring *ring;
    struct presburger *presburger;
    const struct floors *floors;
    VEC(const struct poly *) facts;   /* each >= 0 */
    VEC(struct flat) flats;           /* the same */
    size_t refuting;                  /* number of the fact that refuted the last point */
    VEC(const struct poly *) shifted; /* the same with every variable counted from its lower bound;
                                         empty: not yet made */
    bool has_lo[RING_CAPACITY];
    int64_t lo[RING_CAPACITY];
    size_t n_settled;                 /* so many of the first facts imply no further bounds */
    bool filled;
    size_t n_points;
    int64_t (*points)[RING_CAPACITY];
    VEC(struct answer) memo;
};

struct context *context_new(struct arena *arena, struct ring *ring, struct presburger *presburger,
                            const struct floors *floors);
/* A copy to add facts to. */
struct context *context_extend(const struct context *base);
/* variable >= lo. */
void context_bound(struct context *context, int variable, int64_t lo);
/* p >= 0. Bounds of single variables that follow at once are taken too. */
void context_fact(struct context *context, const struct poly *p);
/* The constraint's integer meaning (a strict one is one tighter); != is ignored. */
void context_constraint(struct context *context, struct constraint c);
/* The inequalities of every floor for which they are now certain: its quotient is >= 1 or its
   numerator >= 0, its denominator >= 1. */
void context_floors(struct context *context);

/* Is p >= 0 wherever the facts hold? */
enum truth context_sign(const struct context *context, const struct poly *p);
bool context_nonnegative(const struct context *context, const struct poly *p);
/* p >= 1 */
bool context_positive(const struct context *context, const struct poly *p);
/* Does p - q >= 0 hold? */
bool context_at_least(const struct context *context, const struct poly *p, const struct poly *q);
/* 1: p >= 0; -1: p <= 0; 0: p = 0; 2: not known. */
int context_direction(const struct context *context, const struct poly *p);
/* The points, made on first use. */
size_t context_points(const struct context *context);

/* presburger.c, the only file that calls isl. */
struct presburger *presburger_new(struct arena *arena);
/* Rows of n_vars + 1 integers: coefficients, then the constant; row >= 0, every variable >= 0. True
   if there is certainly no rational solution. */
bool presburger_rows_empty(struct presburger *presburger, int n_vars, size_t n_rows,
                           const int64_t *rows);
/* Rows of n_vars + 1 integers: coefficients, then the constant. */
struct presburger_system {
    int n_vars;
    size_t n_equal, n_least;
    const int64_t *equal, *least;     /* = 0; >= 0 */
};
/* True if there is certainly no solution in integers, which may be negative. */
bool presburger_system_empty(struct presburger *presburger, const struct presburger_system *system);

#endif
