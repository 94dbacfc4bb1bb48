#ifndef IR_ACCESS_COVERING_H
#define IR_ACCESS_COVERING_H
#include "ir/access/footprint.h"

/* Does one store write a whole array, or a whole square but for the order of its subscripts? */

enum { CONDITIONS_MAX = 6 };

/* What is shown so far holds where each condition is >= 0; the analysis' context has them among its
   facts. */
struct assumptions {
    struct analysis *analysis;
    bool are_allowed;
    int n;
    const struct poly *at[CONDITIONS_MAX];
    const struct context *known;      /* without them */
};

/* Drops all assumptions but the first n. */
void assumptions_return(struct assumptions *assumptions, int n);

/* Does the guard say that `order` is at least, or at most, a literal? Then *least is raised, or
   *most lowered, to that. */
bool guard_bounds_order(struct analysis *analysis, const struct form *guard,
                        const struct form *order, int64_t *least, int64_t *most);

/* Does the store write every element within the extents? `order`: subscript 0 - subscript 1, as if
   the store stood without guards that bound it (of two equal subscripts: the diagonal); NULL: with
   all guards. Assumptions are added where they are allowed. */
bool store_covers(struct assumptions *assumptions, const struct access *store,
                  const struct poly *const *extents, const struct form *order);

#endif
