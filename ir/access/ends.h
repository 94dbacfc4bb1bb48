#ifndef IR_ACCESS_ENDS_H
#define IR_ACCESS_ENDS_H
#include "ir/access/sums.h"

/* Starts and finishes of sums: plain stores at the first and the last point of the axes that the
   subscripts of a sum lack. */

/* A store that is no start or finish although it is marked as such. */
struct ends_fault {
    const struct stmt *store;
    const char *reason;
};

/* The kernel's body with its starts in a band of their own at its beginning, its finishes in one at
   its end, each under the conditions that it had, over parameters and axes alone, and before these
   under those by which its first or last point exists. So conditions on axes that the sum lacks say
   which point it is, and all others when the point is there at all. A start of the elements of an
   array that blocks walk over is in a strided band over these. NULL if a store cannot be proved to
   be what it is marked as: *fault says which. */
const struct stmt *access_ends(struct ctx *ctx, const struct kernel *kernel,
                               struct ends_fault *fault);

/* A start or finish in a body that access_ends has made. */
struct end {
    const struct stmt *store;
    size_t n_conditions;             /* the store is executed where they all hold */
    const struct expr *const *conditions;
    const struct axis *elements;     /* of the strided band over all elements that are started;
                                        NULL: the end is of a single element */
};
struct ends {
    size_t count;                    /* in the order of the text */
    const struct end *at;
};
struct ends ends_of(struct arena *arena, const struct stmt *body);
/* Those of the conditions that use none of these axes, joined; NULL = always. */
const struct expr *end_condition(struct arena *arena, const struct kernel *kernel,
                                 const struct end *end, struct sum_axes missing);

#endif
