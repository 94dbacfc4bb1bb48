#ifndef OPTIMIZER_STRATEGY_H
#define OPTIMIZER_STRATEGY_H
#include "optimizer/strategies/strategies.h"

/* Strategies: rewrites that preserve meaning. A kernel of the tree is a function of the levels at
   which the families of strategies were applied to the region; it never depends on the order of the
   decisions. One row in optimizer/strategy.def and one file in optimizer/strategies/ each. */

/* Families of strategies: of the rows of one family only one is applied, that of the highest level
   asked for. */
enum family {
    FAMILY_STRIDE,
    FAMILY_GRANULARITY,
    FAMILY_SPLIT,
    FAMILY_DROP_FIRST,
    FAMILY_DROP_SECOND,
    FAMILY_DROP_THIRD,
    FAMILY_DROP_PIECES,
    FAMILY_DROP_STAGES,
    FAMILY_DROP_ALL,
    FAMILY_REMAP,
    FAMILY_PAD,
    FAMILY_COARSEN_Y,
    FAMILY_COARSEN_X,
    FAMILY_WIDE,
    FAMILY_JAM,
    FAMILY_SCALAR,
    FAMILY_VECTOR,
    FAMILY_VECTOR_LOOP,
    FAMILY_UNROLL,
    FAMILY_CSE_BLOCKS,
    FAMILY_CSE_FLOW,
    FAMILY_PRESSURE,
    FAMILY_PARTITION,
    FAMILY_COUNT
};

/* What a kernel is made by: a level per family, 0 = not applied. */
struct key {
    unsigned char level[FAMILY_COUNT];
};

struct store;

/* A kernel on its way from the region to the tree. */
struct kernel_draft {
    const struct kernel *kernel;
    const struct kernel *banded;        /* the kernel that was placed; NULL before placement */
    int n_parts;                        /* number of kernels that the banded kernel became;
                                           0 before placement */
    struct placement_options placement;
    int split;                          /* level of strategy_split, which comes with placement */
    bool strided;                       /* strided bands take the place of placement */
    bool remapped;
};

/* The form of a kernel that a strategy rewrites. Placement (staging, promotion, barriers) stands
   between the two. */
enum form { FORM_BANDED, FORM_PLACED };

enum sweep {
    SWEEP_NO,
    SWEEP_FREE,                         /* if no counter may rise */
    SWEEP_ASKED                         /* without tiles also where resources rise and fit, unless
                                           the path was refused one of these */
};

struct strategy {
    const char *name;                   /* "granularity" */
    const char *code;                   /* decision code added when it is applied: "3b" */
    enum family family;
    int level;                          /* from 1 */
    enum form form;
    bool on_ir;                         /* acts below the source (goes into lambda) */
    enum sweep sweep;                   /* whether a processed leaf gets it that has left it over */
    bool is_final;                      /* nothing else is applied after it */
    bool in_paper;                      /* one of the paper's own: golden runs use no other */
    bool must_change;                   /* it is tried only where the kernel that it makes is
                                           another one */
    bool must_gain;                     /* it is tried for a resource only where that may fall */
    bool is_sole;                       /* nothing is tried after it but what is swept, what is
                                           final, and drop-caching */
    const char *claims;                 /* names of the counters that it never makes worse, whatever
                                           the kernel (spec C-09) */
    /* Cheap: may it be applied to `kernel`, to which the strategies used so far have been applied?
       NULL: always. */
    bool (*applies)(struct store *store, const struct kernel *kernel);
    /* The draft with the strategy applied at this level. */
    struct kernel_draft (*apply)(struct store *store, struct kernel_draft draft, int level);
};

enum strategy_symbol {
#define X(SYMBOL, ...) STRATEGY_##SYMBOL,
#include "optimizer/strategy.def"
#undef X
    STRATEGY_COUNT
};

/* The rows, in the order in which they are applied: STRATEGY_COUNT of them. */
const struct strategy *strategy_table(int symbol);
/* -1 if there is none. */
int strategy_find(const char *name);

/* The key with a strategy applied; where one strategy makes others meaningless these are
   taken out. */
struct key key_with(struct key key, const struct strategy *strategy);
bool key_equal(struct key a, struct key b);
/* Is the strategy's level, or a higher one, applied? */
bool key_has(struct key key, const struct strategy *strategy);

#endif
