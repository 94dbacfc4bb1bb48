#ifndef OPTIMIZER_STRATEGIES_REWRITE_H
#define OPTIMIZER_STRATEGIES_REWRITE_H
#include "base/map.h"
#include "base/vec.h"
#include "ir/access/access.h"
#include "ir/names.h"

/* What the rewriting strategies share: small questions about statements and expressions. */

/* A VEC of statements. */
struct stmts {
    const struct stmt **at;
    size_t count, capacity;
};

/* The polynomial of an expression over the kernel's parameters; NULL if it is none. */
const struct poly *kernel_expr_poly(const struct kernel *kernel, const struct expr *e);

/* Makes the fact a condition of the kernel's launch, if it is not one already. */
void kernel_add_divisible(struct arena *arena, struct kernel *kernel, struct divisible fact);

/* Trip count of a loop: `to` where it counts from 0 by 1. Iterations of a loop are from + step * t,
   0 <= t < trip. */
const struct expr *loop_trip(struct arena *arena, const struct stmt *loop);
bool loop_is_normal(const struct stmt *loop);

/* Statement s with `map` applied to each expression that stands directly in it; children stay. */
const struct stmt *stmt_map_exprs(struct arena *arena, const struct stmt *s,
                                  const struct expr *(*map)(void *state, const struct expr *e),
                                  void *state);
/* `map` applied to the operands of e. */
const struct expr *expr_map_operands(struct arena *arena, const struct expr *e,
                                     const struct expr *(*map)(void *state, const struct expr *e),
                                     void *state);

bool stmt_has_band(const struct stmt *s);
/* Is the size of a private array a parameter? */
bool kernel_has_symbolic_private(const struct kernel *kernel);

/* variables[i] replaced by values[i] in e. */
struct substitution {
    int count;
    const struct var *const *variables;
    const struct expr *const *values;
};
const struct expr *expr_replace(struct arena *arena, const struct expr *e,
                                const struct substitution *substitution);
/* The same in all of s; what declares or sets a variable does so with the one that replaces it. */
const struct stmt *stmt_replace(struct arena *arena, const struct stmt *s,
                                const struct substitution *substitution);
/* The body of a loop in the round in which its variable has the value. It may declare scalars and
   loops, which get names of their own, but no arrays. */
const struct stmt *loop_round(struct names *names, const struct stmt *loop,
                              const struct expr *value);
/* Is it the variable of an axis of the block? `kernel`: NULL has none. */
bool kernel_has_block_axis(const struct kernel *kernel, const struct var *var);
/* Copies of the axes with fresh variables; the substitution goes from the old ones to the new ones.
   The block axes of `kernel` (NULL = of none) keep theirs, which all its plain bands may use. */
struct substitution axes_rename(struct names *names, const struct kernel *kernel,
                                const struct axis *axes, int n, struct axis *copy);

/* Do all casts in e keep the value, or wrap as the arithmetic around them does? Then e is its
   polynomial, as far as wrap-around is taken not to happen. */
bool expr_casts_exact(const struct expr *e);

/* Local scalars in scope, for conditions that move: an integer scalar with one definition stands
   for an expression over parameters, axes and loops. */
struct scalar_meaning {
    const struct var *var;
    const struct expr *value;           /* NULL: it has none */
};
struct definitions {
    struct arena *arena;
    const struct stmt *body;            /* of the kernel */
    VEC(struct scalar_meaning) list;        /* whoever leaves a scope sets the count back */
    struct map *kept;                   /* scalars in scope wherever an expression moves to;
                                           NULL: none */
};
void definitions_add(struct definitions *definitions, const struct stmt *let);
/* e with the scalars replaced that stand for something. */
const struct expr *definitions_replace(struct definitions *definitions, const struct expr *e);
/* The same; NULL if it may not be evaluated elsewhere: it reads data or may fail, or uses a scalar
   that stands for nothing and is not kept. */
const struct expr *definitions_expand(struct definitions *definitions, const struct expr *e);

/* e without the conjuncts for which `drops(state, conjunct)`, asked from left to right; e itself if
   there is none, NULL if all are. */
const struct expr *conjuncts_left(struct arena *arena, const struct expr *e,
                                  bool (*drops)(void *state, const struct expr *conjunct),
                                  void *state);

/* May the let of the body be made again elsewhere: an integer over parameters, axes, loops and lets
   among `cheap` (other statements of that list are no matter), which nothing changes? */
bool let_is_cheap(struct arena *arena, const struct stmt *body, const struct stmt *let,
                  const struct stmts *cheap);

/* e as coefficient * var + *rest (NULL: nothing), whatever rest is; false if it is not of that
   form. */
bool expr_split(struct arena *arena, const struct expr *e, const struct var *var, int *coefficient,
                const struct expr **rest);

/* The body without scalars that nothing reads any more, as where they served subscripts that a
   rewrite made others of. */
const struct stmt *body_drop_unused(struct arena *arena, const struct stmt *body);

#endif
