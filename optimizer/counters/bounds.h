#ifndef OPTIMIZER_COUNTERS_BOUNDS_H
#define OPTIMIZER_COUNTERS_BOUNDS_H
#include "base/map.h"
#include "optimizer/counters/scope.h"

/* Polynomial bounds of integer expressions: lo <= e <= hi wherever the parameters are
   not negative. */
struct bounds {
    const struct poly *lo, *hi;          /* NULL = unknown */
    bool exact;                          /* lo = hi = e */
};

struct bounding {
    struct scope *scope;
    struct map *known;                   /* var -> struct bounds: iterators in scope, locals with
                                            one value */
    struct map *written;                 /* locals that are assigned to */
};

struct bounding bounding_new(struct scope *scope);
void bounding_set(struct bounding *bounding, const struct var *var, struct bounds bounds);
struct bounds bounds_of(struct bounding *bounding, const struct expr *e);
/* Number of values of 0 <= iterator < e; hi is what counts. */
struct bounds bounds_extent(struct bounding *bounding, const struct expr *e);
/* Number of rounds of a loop; the bounds of its variable go to *variable. */
struct bounds bounds_trip(struct bounding *bounding, const struct stmt *loop,
                          struct bounds *variable);
/* 0 <= iterator < extent */
struct bounds bounds_iterator(struct bounding *bounding, struct bounds extent);

#endif
