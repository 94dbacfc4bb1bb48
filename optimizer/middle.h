#ifndef OPTIMIZER_MIDDLE_H
#define OPTIMIZER_MIDDLE_H
#include "optimizer/cases.h"

/* The middle of the tool: every value between a region and its tree, in the order in which they are
   made. Each is made by one function from those before it and never changed, so that `-d STAGE` can
   print any of them. */
struct middle {
    const struct search_space *space;
    struct store *store;
    struct search_result search;
    const struct case_tree *found;          /* what the search came to */
    const struct case_tree *constant;       /* without tests that always hold or never do */
    const struct case_tree *dominated;      /* without versions that better ones replace */
    const struct case_tree *limited;        /* within the budget of leaves */
    const struct case_tree *merged;         /* without tests of no consequence */
    const struct tree *named;               /* variants numbered, auxiliary integers named, counters
                                               of the variants */
    const struct tree *witnessed;           /* a witness of each case */
    const struct tree *simplified;          /* minimal systems */
    const struct tree *tree;                /* the same, with statistics where they are asked for */
};

/* Algorithms 1 and 2 on the region, and the passes behind them. NULL after a diagnostic. */
const struct middle *middle_run(struct ctx *ctx, const struct region *region,
                                const struct tree_options *options);

/* The space as text, for -d. */
void space_print(struct str *out, const struct search_space *space);

#endif
