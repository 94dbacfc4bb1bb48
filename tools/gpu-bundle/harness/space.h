#ifndef BUNDLE_SPACE_H
#define BUNDLE_SPACE_H
/* All candidates of a region at one point, in the order in which they are tried. */
#include "bench.h"

struct candidate {
    struct pick pick;
    double predicted;           /* nanoseconds, by the model */
    bool is_tried;
};

struct space {
    const struct treefork_region *region;
    int n, first;               /* the first so many are the choice and the best predicted */
    struct candidate *at;
};

enum { GUIDED = 16 };           /* trials that the model guides */

/* The integers of a region by its parameters' text, "n=512,B0=16"; malloc'd. */
int64_t *integers_read(const struct treefork_region *region, const char *parameters);
/* The choice that a call took. */
struct pick pick_read(const struct treefork_region *region, const struct call *call);
bool pick_equals(const struct pick *a, const struct pick *b);
/* "leaf": …, "tunables": "s=4,B0=16" */
void row_pick(struct row *row, const struct pick *pick);

/* The candidates at the point of a call: first its own choice, then the best predicted until there
   are GUIDED, then by turns the next best predicted and, in an order that is the same in every
   process, any. */
struct space space_make(struct bench *b, const struct treefork_region *region,
                        const struct call *call);
void space_free(struct space *space);
/* A candidate not tried yet that differs from this one in the leaf alone, or in one tunable by one
   step; -1 if there is none. */
int space_neighbour(const struct space *space, int of);

#endif
