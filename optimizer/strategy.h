#ifndef OPTIMIZER_STRATEGY_H
#define OPTIMIZER_STRATEGY_H
#include "ir/kernel.h"

/* Strategies: semantics-preserving rewrites, kernel to new kernel. One row in optimizer/strategy.def and one file in
   optimizer/strategies/ each. A kernel of the tree is a function of the set of strategies, applied in phase order. */

enum phase { PHASE_MAP = 3, PHASE_GRANULARITY = 4, PHASE_STAGE = 5, PHASE_SCALAR = 6, PHASE_LAUNCH = 7 };

struct store;

struct strategy {
    const char *name;                   /* "granularity" */
    const char *code;                   /* decision code added when it is applied: "3b" */
    enum phase phase;
    bool on_ir;                         /* acts below the source (goes into lambda) */
    bool in_sweep;                      /* left over at a processed leaf it is applied if no counter may rise */
    bool is_final;                      /* nothing else is applied with it */
    bool in_paper;                      /* one of the paper's own: golden runs use no other */
    const char *claims;                 /* names of the counters that it never makes worse, whatever the kernel (spec C-09) */
    /* Does it change `base`, a kernel to which the strategies used so far have been applied? */
    bool (*applicable)(struct store *store, const struct kernel *base);
};

#endif
