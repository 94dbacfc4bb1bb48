#ifndef IR_ACCESS_ANALYSIS_H
#define IR_ACCESS_ANALYSIS_H
#include "base/vec.h"
#include "ir/access/access.h"
#include "ir/access/context.h"

/* A question about a kernel works on this: its iterators and references with subscripts as linear
   forms over the iterators, coefficients being polynomials over parameters and floors. Lives in a
   scratch arena; answers are copied out. Built by analysis.c, collect.c and form.c, read by
   everything else in this folder. */

enum level {
    LEVEL_GRID,     /* an axis of the grid */
    LEVEL_OUTER,    /* a serial loop at block level */
    LEVEL_THREAD,   /* an axis of a band */
    LEVEL_SERIAL,   /* a serial loop inside a band */
    LEVEL_FRESH     /* a bounded unknown, e.g. a remainder that could not be resolved */
};

struct form_term {
    int iterator;
    const struct poly *coefficient;   /* not zero */
};

/* constant + sum of coefficient * iterator; terms by rising iterator number. */
struct form {
    const struct poly *constant;
    int n_terms;
    const struct form_term *terms;
};

struct range {
    const struct form *lo, *hi;       /* first and last value, over iterators further outside */
};

/* Numbered from outside to inside, so that a bound refers to smaller numbers only. */
struct iterator {
    const struct var *var;            /* NULL: fresh */
    enum level level;
    const struct stmt *stmt;          /* the loop or the band; NULL: grid, fresh */
    int axis;                         /* of the grid or the band, else -1 */
    struct range range;
    const struct expr *value;         /* the iterator in terms of program variables: var, (var -
                                         from) / step, or what a fresh one stands for;
                                         NULL: unknown */
    const struct form *room;          /* of a loop whose last value the range does not tell exactly:
                                         last possible value - value, >= 0 in every round; or
                                         NULL */
};

enum condition_kind {
    CONDITION_PARAMS,                 /* depends on parameters alone */
    CONDITION_BLOCK,                  /* uniform in a block at one step */
    CONDITION_THREAD,                 /* affine over iterators, some of them of the thread */
    CONDITION_OPAQUE                  /* reads data, or scalars that are assigned more than once */
};

/* What conditions say: forms that are >= 0 where they hold, and polynomials likewise. */
struct guards {
    VEC(const struct form *) forms;
    VEC(const struct poly *) facts;
    bool leans;                       /* some are known only together with earlier conditions */
};

/* A condition on the way to a reference; true there if not `negated`. */
struct condition {
    const struct expr *expr;          /* local scalars substituted; NULL: it could not be
                                         written so */
    bool negated;
    enum condition_kind kind;
    bool affine;                      /* the guards and facts taken from it say all of it */
    struct guards guards;             /* these */
};

struct path_step {
    int iterator;                     /* a loop is entered, or -1: a condition holds */
    struct condition condition;
    bool repeats;                     /* the condition is that of a STMT_WHILE */
    const struct stmt *loop;          /* iterator >= 0: the STMT_FOR, NULL for axes */
    const struct expr *from, *to, *step;   /* bounds with local scalars substituted;
                                              NULL: unknown */
};

/* A load or a store of the kernel with its path. */
struct access {
    struct reference reference;
    const struct form *const *subscripts;   /* array->n_dims; NULL = not affine */
    const struct form *const *usual;        /* the subscripts; of one that conditions choose among
                                               affine ones that which moves most with the
                                               threads (choice.c); NULL = there is none */
    int64_t choices;                        /* ways of choosing; 1 where nothing is chosen */
    const struct expr *const *indices;      /* local scalars substituted; NULL = not possible */
    const struct stmt *band;                /* NULL: at block level */
    const struct stmt *vector;              /* the vector copy it belongs to; NULL: an access of
                                               one element */
    const struct stmt *end;                 /* the start or finish of sums that it belongs to, or
                                               NULL */
    const struct expr *value;               /* of the store of `end`, local scalars substituted;
                                               NULL = not possible */
    size_t n_path;
    const struct path_step *path;                /* from outside to inside, grid axes first */
    size_t n_guards;
    const struct form *const *guards;       /* each >= 0 wherever the reference is made */
    size_t n_facts;
    const struct poly *const *facts;        /* likewise, without iterators; the first n_said are
                                               what conditions say, the others that loops run */
    size_t n_said;
    int n_ranges;
    const struct range *ranges;             /* by iterator number, tightened by guards; NULL
                                               entries: not in its nest */
    bool exact;                             /* the guards say exactly when it is made, within
                                               the ranges */
    const char *unknown;                    /* why a subscript is not affine, or NULL */
    const struct reached *reach;             /* of the first subscript where that is not affine and
                                               the array's first extent is open; or NULL */
    const struct form *part;                /* then: the affine terms of that subscript */
};

enum { REACH_LIST = 4 };

/* A value is at least the least of at[0] and at most the greatest of at[1]; n entries each, 0:
   nothing is known. */
struct reached {
    int n[2];
    const struct form *at[2][REACH_LIST];
};

/* The definition of a local scalar where it is visible. */
struct scope_binding {
    const struct var *var;
    const struct form *form;          /* NULL: not affine */
    const struct expr *expr;          /* over parameters and iterators; NULL: assigned more
                                         than once */
    int iterator;                     /* it is this iterator, or -1 */
    const struct reached *bounds;      /* of an integer that is not affine, where the walk stands;
                                         or NULL */
};

/* A fresh iterator that stands for dividend % divisor. */
struct remainder {
    const struct form *dividend;
    const struct poly *divisor;
    int iterator;
};

/* launched.c: a number of a launch that is no polynomial of its parameters. */
struct launched_number {
    const struct expr *value;         /* over parameters */
    const struct var *var;            /* a variable in the expression's place */
    int variable;                     /* of the ring */
    bool is_positive, is_assumed;     /* at least 1; that is not shown, but assumed */
    bool is_asked;                    /* a launch whose number is less than 1 is not cut */
};

struct analysis {
    struct ctx *ctx;
    const struct kernel *kernel;
    struct arena *arena;              /* scratch */
    struct ring *ring;                /* parameters and floors; not the kernel's */
    struct floors floors;
    struct context *context;          /* parameters' bounds, the kernel's facts, extents of grid and
                                         block >= 1 */
    struct context *plain;            /* the same without the extents */
    struct presburger *presburger;
    const struct var *params[RING_CAPACITY];   /* by ring variable; NULL: a floor */
    bool shared;                      /* references to shared arrays are collected too */
    bool open;                        /* an array has no declared first extent: bounds are kept */
    bool only_proofs;                 /* questions about pairs look for proofs, not for witnesses
                                         of conflicts */
    bool assumed;                     /* the legality condition is among the facts, and its
                                         verdict known */
    enum access_verdict verdict;
    long witness_work;                /* spent on searches for witnesses so far */
    VEC(struct iterator) iterators;
    VEC(struct remainder) remainders;
    bool launches;                    /* numbers of a launch are variables of the ring */
    VEC(struct launched_number) launched;
    VEC(const struct access *) accesses;
    VEC(const struct expr *) sinks;   /* what has an effect: subscripts, conditions, bounds, stored
                                         and assigned values, with local scalars substituted as far
                                         as they have one definition */
    VEC(struct scope_binding) scope;
    VEC(const struct var *) assigned;          /* scalars that a STMT_SET writes, or that are
                                                  declared without value */
};

/* All references of the kernel to global arrays. */
struct analysis *analysis_new(struct ctx *ctx, const struct kernel *kernel);
/* The same with the references to shared arrays, for kernels whose arrays are staged already. */
struct analysis *analysis_new_shared(struct ctx *ctx, const struct kernel *kernel);
/* The same as analysis_new, with numbers of a launch that are no polynomials (launched.c). */
struct analysis *analysis_new_launched(struct ctx *ctx, const struct kernel *kernel);
void analysis_free(struct analysis *analysis);
/* The analysis of analysis_new_shared for this kernel. The last few are kept, so it is valid until
   the next call. */
struct analysis *analysis_kept(struct ctx *ctx, const struct kernel *kernel);
/* A key under which answers about this kernel are kept in ctx->caches: by the kernel's place, since
   answers name its statements, and by its contents, since a kernel grows before it is shared.
   In `arena`. */
const char *analysis_key(struct arena *arena, const char *question, const struct kernel *kernel);

/* collect.c: fills in iterators, references, sinks; once, when the contexts are made. */
void analysis_collect(struct analysis *analysis);

/* form.c */
const struct form *form_constant(struct analysis *analysis, const struct poly *p);
const struct form *form_integer(struct analysis *analysis, int64_t value);
const struct form *form_iterator(struct analysis *analysis, int iterator);
const struct form *form_add(struct analysis *analysis, const struct form *a, const struct form *b);
const struct form *form_sub(struct analysis *analysis, const struct form *a, const struct form *b);
const struct form *form_scale(struct analysis *analysis, const struct form *a,
                              const struct poly *p);
/* The coefficient of an iterator; NULL if it does not occur. */
const struct poly *form_coefficient(const struct form *a, int iterator);
bool form_equal(const struct form *a, const struct form *b);
/* Greatest or least value over the iterators for which `over` is set (NULL: all) within the ranges
   of `access` (NULL: the loops' own); NULL if a coefficient's sign is open. */
const struct form *form_bound(struct analysis *analysis, const struct context *context,
                              const struct access *access, const struct form *a, bool upper,
                              const bool *over);
/* The same over the values of all iterators, so that a polynomial in the parameters remains. */
const struct poly *form_extreme(struct analysis *analysis, const struct context *context,
                                const struct access *access, const struct form *a, bool upper);

/* limits.c: appends forms that are never below this one, over iterators that form_bound leaves. */
struct form_list {
    VEC(const struct form *) forms;
};
void form_bounds(struct analysis *analysis, const struct context *context,
                 const struct access *access, const struct form *a, const bool *over,
                 struct form_list *found);

/* p / g if that is a polynomial with integer coefficients, else NULL. */
const struct poly *poly_multiple(const struct poly *p, const struct poly *g);

/* affine.c: the linear form of an integer expression in the present scope; NULL if it has none. */
const struct form *form_of(struct analysis *analysis, const struct expr *e);
/* launched.c: the number that the expression is; a selection becomes a new number. NULL: the
   expression is no number. */
const struct form *launched_form(struct analysis *analysis, const struct expr *e);
/* A product: the factor of an axis of the grid becomes a number if it is no polynomial. */
void launched_product(struct analysis *analysis, const struct expr *e);
/* The expression of the number that has this variable; NULL: no number has it. */
const struct expr *launched_value(const struct analysis *analysis, const struct var *var);
/* choice.c: the usual form of an integer expression; NULL if it has none. *choices is multiplied
   by the number of ways in which its conditions choose. */
const struct form *form_usual(struct analysis *analysis, const struct expr *e, int64_t *choices);
/* The number of the floor of numerator / denominator as a ring variable; -1 if the ring is full. */
int analysis_floor(struct analysis *analysis, const struct poly *numerator,
                   const struct poly *denominator, enum type type);
const struct scope_binding *scope_find(const struct analysis *analysis, const struct var *var);
/* e with local scalars replaced by their definitions; NULL if one has none. */
const struct expr *scope_expand(struct analysis *analysis, const struct expr *e);
/* Likewise, but scalars without a definition stay. */
const struct expr *scope_expand_partly(struct analysis *analysis, const struct expr *e);

/* settle.c: sets guards, facts, ranges and exact from the path. */
void access_settle(struct analysis *analysis, struct access *access);
/* The reference without the steps of its path for which `dropped` is set (n_path entries). */
const struct access *access_cover(struct analysis *analysis, const struct access *access,
                                  const bool *dropped);

/* guard.c: conditions as guards. Appends to the lists, which hold what is known already, and sets
   leans where that was needed; false if the condition is not wholly expressed. */
bool guard_collect(struct analysis *analysis, const struct expr *condition, bool negated,
                   struct guards *out);

/* reach.c: what is known of a value in the present scope; of one of two values; where `condition`
   holds (or, negated, does not) on the way. */
struct reached reach_of(struct analysis *analysis, const struct expr *e);
struct reached reach_join(struct analysis *analysis, struct reached a, struct reached b);
void reach_refine(struct analysis *analysis, struct reached *bounds, const struct expr *value,
                   const struct expr *condition, bool negated);

/* texpr.c: back to program expressions, in the caller's arena. */
const struct expr *expr_of_poly(struct analysis *analysis, const struct poly *p, enum type type);
const struct expr *expr_of_form(struct analysis *analysis, const struct form *a, enum type type);
/* p over another ring, by variable names; NULL if it contains a floor. */
const struct poly *poly_move(struct ring *ring, const struct poly *p);
const struct poly *analysis_export(struct analysis *analysis, const struct poly *p);

#endif
