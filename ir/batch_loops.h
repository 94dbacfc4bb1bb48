#ifndef IR_BATCH_LOOPS_H
#define IR_BATCH_LOOPS_H
#include "ir/batch_copy.h"
#include "ir/batch_dealing.h"

/* A kernel, and one of its bands, on the way to loops: what ir/batch_expand.c, which deals points
   out, and ir/batch_points.c, which writes what is done at a point, share. ir/batch_bound.c says
   up to which point they go. */

/* A copy whose first batch is loaded a round before it is stored (ir/batch_ahead.c). */
struct batch_ahead {
    const struct array *held;                /* the elements of that batch, and of later ones */
    bool loads;                              /* the band stands for these loads; else for the rest
                                                of the copy */
    const struct expr *first;                /* in the first round nothing has been loaded */
};

struct batch_expansion {
    struct arena *arena;
    struct batch_dealer dealer;
    bool unrolls;
    struct map *ahead;                       /* band -> struct batch_ahead; NULL: there are none */
    struct batches result;
};

/* A band on its way to loops. */
struct batch_loops {
    const struct stmt *band;
    const struct batch_dealing *dealing;
    struct batch_copy copy;
    struct batch_form forms[2];              /* from, to */
    const struct array *lines[2];
    const struct expr *firsts[2];            /* running, from batch to batch */
    const struct expr *numbers[2];           /* at the point that is spoken of */
    const struct expr *steps[2];             /* what they go on by; NULL = nothing */
    int run_axis;                            /* the axis along which points are batched; several
                                                axes of rows count as one, 0 */
    const struct expr *begin, *end, *rise;   /* along it */
    const struct expr *ends[2];              /* of the points that are loaded, that are stored */
    const struct expr *left[2];              /* what else is asked of such a point; NULL: nothing */
    const struct expr *value, *otherwise;    /* of a point that is loaded, of one that is not */
    const struct expr *at;                   /* of the batch's first point */
    const struct expr *axes[AXES_MAX];       /* at a point */
    const struct expr *digits[2][AXES_MAX];  /* the axes of rows, where there are several: each
                                                side has its own */
    const struct expr *lane;                 /* of a vector that is gathered */
    const struct array *held;                /* the elements of a batch */
    const struct batch_ahead *ahead;         /* NULL: every batch is loaded where it is stored */
    const struct expr *is_later;             /* of such a copy: behind its first batch */
};

/* Copies in loops at block level, marked as those whose first batches are loaded ahead. */
const struct stmt *batch_ahead_mark(struct batch_expansion *x, const struct stmt *body);
/* A private array of so many elements. */
const struct array *batch_private(struct batch_expansion *x, const char *stem, enum type type,
                                  int elements);

const struct expr *batch_integer(struct batch_expansion *x, int64_t value);
const struct expr *batch_binary(struct batch_expansion *x, enum op op, const struct expr *a,
                                const struct expr *b);
void batch_append(struct batch_expansion *x, struct batch_list *list, const struct stmt *s);
const struct stmt *batch_sequence(struct batch_expansion *x, const struct batch_list *list);
/* A loop over 0 … count - 1 that is marked to be unrolled. */
const struct stmt *batch_unrolled(struct batch_expansion *x, struct var *var,
                                  const struct expr *count, const struct batch_list *body);

/* Sets ends, left, value and otherwise; begin, end and the fixed axes are set. What is computed
   once for all points goes to the list. */
void batch_bound(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b);
/* The sum of part[i] * values[i] for the first n axes; NULL = 0. */
const struct expr *batch_parts(struct batch_expansion *x, const struct batch_form *form,
                               const struct expr *const *values, int n);

/* The value of an axis, or of the lane, at the point that is spoken of, a struct batch_loops. */
const struct expr *batch_axis_value(void *loops, const struct var *var);
/* Loads what the batch's point `at` stores, to its place in `held`; 0 where there is no point. */
void batch_load(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                const struct expr *at);
/* Copies the point asynchronously, from where the side of loads is to where that of stores is. */
void batch_copy(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                const struct expr *at);
/* Stores it, where there is a point. */
void batch_store(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                 const struct expr *at);

#endif
