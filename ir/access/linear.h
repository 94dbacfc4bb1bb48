#ifndef IR_ACCESS_LINEAR_H
#define IR_ACCESS_LINEAR_H
#include "ir/access/delta.h"

/* A meeting of two references as a system for integer linear arithmetic, until isl is asked.

   Variables have one number for both executions: that of the iterator of a; an iterator of b that
   stands for it (the same loop, or the same axis of a band with equal extents) goes under that
   number too. The value of variable v in the one execution and in the other are two unknowns; forms
   speak of one side. */

struct linear_variable {
    bool in[2];                       /* does the side's reference stand in it? */
    const struct poly *extent;        /* 0 <= v < extent on both sides; NULL: not known */
    bool different;                   /* of the variables that are marked so, one must differ */
    const struct poly *apart;         /* the two values differ by at most this; NULL: no bound */
};

enum linear_kind {
    LINEAR_LEAST,                     /* form >= 0 */
    LINEAR_EQUAL,                     /* form = 0 */
    LINEAR_UNEQUAL,                   /* form != 0 */
    LINEAR_DIVISION                   /* form = literal * quotient + remainder, truncated as in C */
};

struct linear_constraint {
    enum linear_kind kind;
    int side;
    const struct form *form;
    int64_t literal;
    int quotient, remainder;          /* variables */
};

/* Equal subscripts: sides[0] = sides[1]. */
struct linear_row {
    const struct form *sides[2];
};

struct linear_set {
    struct analysis *analysis;
    const struct context *context;    /* what is known of the parameters */
    VEC(struct linear_variable) variables;
    VEC(struct linear_constraint) constraints;
    VEC(struct linear_row) rows;
    bool folded;                      /* digits were replaced: products of parameters count */
    const struct form **values[2];    /* by iterator: the value of its program variable */
};

/* linear.c: the system of two references, or of the conditions on parameters of either. What is
   not linear over the iterators is left out, which only leaves more solutions. */
struct linear_set *linear_meeting(struct analysis *analysis, const struct context *context,
                              const struct access *a, const struct access *b,
                              const struct meeting_question *question);
struct linear_set *linear_conditions(struct analysis *analysis, const struct access *a,
                                 const struct access *b);

/* numbers.c. True if digits were replaced by the numbers that they make up. */
bool numbers_fold(struct linear_set *linear);
/* True if rows with pitches were split into rows without. */
bool numbers_split(struct linear_set *linear);

/* conflict.c: is it certain that there is no solution, or (unless `gap` is NULL) none in which the
   two sides of a row are so far from each other? What has coefficients that are no literals is
   left out. */
struct linear_gap {
    const struct linear_row *row;     /* sides[0] - sides[1] >= distance or <= -distance */
    const struct poly *distance;
};
bool linear_empty(struct linear_set *linear, const struct linear_gap *gap);

#endif
