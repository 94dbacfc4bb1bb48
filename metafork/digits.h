#ifndef METAFORK_DIGITS_H
#define METAFORK_DIGITS_H
#include "base/map.h"
#include "ir/kernel.h"

/* Numbers that iterators are digits of, and what conditions imply; shared by digits.c and
   conditions.c, which find them, and automatic.c, which asks what depends on the digits alone. */

enum { DIGITS_MAX = 8, GROUPS_MAX = 8, CONDITIONS_MAX = 24, LOOP_ENDS_MAX = 2 };

/* A number with its digits. */
struct digit_group {
    int n;
    const struct var *digits[DIGITS_MAX];   /* by stride, from 1; the last counts the pieces */
    const struct poly *number;               /* P */
    const struct poly *limit;                /* a: P takes every value of 0 … a - 1 once where
                                                P < a, and others elsewhere */
    bool is_exact;                           /* all values are below a, if the division is exact */
    bool is_bound;                           /* all values are below a, which the loop that counts
                                                rounds sees to */
    bool is_serial;                          /* all digits are serial loops of the kernel's text */
    bool broken;
};

/* Each polynomial is at least 0. */
struct conditions {
    int n;
    const struct poly *at[CONDITIONS_MAX];
};

struct numbers {
    struct arena *arena;
    const struct kernel *kernel;
    bool allow_exact;
    struct ring *ring;                       /* parameters and iterators */
    struct map *definitions;                 /* local to its only value */
    struct map *sets;                        /* locals that are set again */
    struct map *extents;                     /* iterator to extent */
    struct map *bounds;                      /* name of an iterator from 0 to what it
                                                stays below */
    struct map *counters;                    /* loop to the iterator that counts its rounds, where
                                                that is not its own */
    struct map *stepped;                     /* iterator of a loop in steps to its loop; where
                                                that does not begin at 0, its counter */
    struct map *rounds;                      /* names of these counters to the same */
    int n_groups;
    struct digit_group groups[GROUPS_MAX];
};

/* The numbers of a kernel; with `allow_exact` also those whose pieces a truncating division
   counts. */
struct numbers digits_of(struct arena *arena, const struct kernel *kernel, bool allow_exact);
/* Locals with one definition replaced by it. */
const struct expr *digits_expand(struct numbers *d, const struct expr *e);
/* The same as a polynomial; NULL if it is none. */
const struct poly *digits_poly(struct numbers *d, const struct expr *e);
/* The ring's variable of an iterator; -1 for other variables. */
int digits_variable(const struct numbers *d, const struct var *var);
/* The division that counts the pieces of a number, the extent of its highest digit; NULL if that is
   a loop in steps. */
const struct expr *group_division(const struct numbers *d, const struct digit_group *group);
/* The iterator that counts the rounds of a serial loop from 0, or in steps; the loop's own where
   none does. */
const struct var *digits_counter(const struct numbers *d, const struct stmt *loop);
/* What the variable of a loop stays below, and how many that are: a and b for min(a, b). */
int digits_loop_ends(struct numbers *d, const struct stmt *loop,
                     const struct expr *ends[LOOP_ENDS_MAX]);
/* Is the expression this literal? */
bool digits_is_integer(struct numbers *d, const struct expr *e, int64_t value);
bool group_has(const struct digit_group *group, const struct var *var);

/* conditions.c: a condition with locals replaced and negations carried to its comparisons. */
const struct expr *digits_condition(struct numbers *d, const struct expr *condition);
/* p >= 0, and of an equality q >= 0 too, say what a comparison of integers says; NULL where nothing
   does. */
void comparison_polys(struct numbers *d, const struct expr *comparison, const struct poly **p,
                      const struct poly **q);
/* Adds the comparisons of a conjunction, as digits_condition makes it, that polynomials can say. */
void conditions_add(struct numbers *d, struct conditions *known, const struct expr *conjunction);
/* Adds what holds in every round of a loop. */
void conditions_add_loop(struct numbers *d, struct conditions *known, const struct stmt *loop);
/* Adds the facts of the kernel that relate parameters to each other. */
void conditions_add_facts(struct numbers *d, struct conditions *known);
/* Do the conditions imply p >= 0 for all iterators within their extents? False: not shown. */
bool conditions_imply(struct numbers *d, const struct conditions *known, const struct poly *p);

#endif
