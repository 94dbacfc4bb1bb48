#ifndef IR_ACCESS_DISTANCE_H
#define IR_ACCESS_DISTANCE_H
#include "ir/access/access.h"

/* Distances of dependences in the serial loops of a thread (spec P-02). */

enum { DISTANCE_LOOPS = 4 };

/* Serial loops in a band, the outermost of the band first, each in the body of the one before. */
struct distance_nest {
    int n_loops;
    const struct stmt *loops[DISTANCE_LOOPS];
};

enum distance_kind {
    DISTANCE_NONE,       /* no thread touches one element by both */
    DISTANCE_CONSTANT,   /* it does only where the loops' variables lie `at` apart */
    DISTANCE_OPEN        /* nothing is known */
};

/* Where one thread touches an element by `a` and by `b`: of each loop the variable's value at b
   less that at a, in steps of the loop. */
struct access_distance {
    struct reference a, b;
    enum distance_kind kind;
    int64_t at[DISTANCE_LOOPS];
    bool is_free[DISTANCE_LOOPS];    /* CONSTANT: neither depends on the loop: any distance */
};

/* All pairs of references of one array inside the innermost loop, at least one a write, that are
   not known to stay apart; a comes before b in the text, or is b. In ctx->arena. */
size_t access_distances(struct ctx *ctx, const struct kernel *kernel,
                        const struct distance_nest *nest, const struct access_distance **list);

#endif
