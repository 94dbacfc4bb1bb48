#ifndef OPTIMIZER_PRUNE_H
#define OPTIMIZER_PRUNE_H
#include "optimizer/store.h"

/* Fewer leaves: cases go to better variants that are proved to fit, tests without consequence disappear. */

/* A case on its way from the search to the tree. */
struct tree_case {
    struct sas constraints;             /* the path, without the initial system and the facts of auxiliary integers */
    size_t n_codes;
    const char *const *codes;
    bool unknown;                       /* the solver could not decide consistency */
    bool merged;                        /* of several: its constraints are those of the path that is left */
    int variant;                        /* index */
};

struct pruning {
    struct store *store;
    struct sas context;                 /* what holds everywhere */
    struct tree_case *cases;
    size_t n_cases;
    const struct variant *variants;     /* in accept-first order; exactly one of them is safe */
    size_t n_variants;
    struct tree_stats *stats;
};

/* A case goes to another variant where that is proved to fit throughout the case, was made with fewer of the strategies that
   only save resources, and none of those serves a target: it is what the search would have taken. The safe variant, which
   saves everything, gives its cases to any that fits. */
void prune_dominated(const struct pruning *pruning);
/* Until at most `most` variants are left, the safe one included: one that is neither safe nor the most frugal nor, from three
   on, the first gives its cases to the nearest of the others that is proved to fit, at worst to the safe one. */
void prune_budget(const struct pruning *pruning, size_t most);
/* The tree without tests behind which both branches are alike: the same tests with the same variants. Leaves are numbers of
   cases + 1; those that stand for several are marked `merged`. */
const struct node *tree_collapse(const struct pruning *pruning, const struct node *root);

#endif
