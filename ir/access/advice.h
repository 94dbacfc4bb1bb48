#ifndef IR_ACCESS_ADVICE_H
#define IR_ACCESS_ADVICE_H
#include "ir/access/analysis.h"

/* An assertion that the user could write. */
struct advice {
    size_t n_facts;
    const struct poly *facts[RING_CAPACITY];   /* each >= 0, over the analysis's ring */
    const char *text;                /* "`assert(r >= 0);` before the region", in ctx->arena */
};
typedef VEC(struct advice) advice_list;

/* What could be asserted so that p >= least holds, simplest first; p is over the analysis's ring.
   */
advice_list advice_find(struct analysis *analysis, const struct context *context,
                        const struct poly *p, int64_t least);
/* The context with the assertion's facts. */
struct context *advice_take(const struct context *context, const struct advice *advice);

#endif
