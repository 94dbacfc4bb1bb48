#ifndef OPTIMIZER_CASES_H
#define OPTIMIZER_CASES_H
#include "optimizer/search.h"

/* The tree while it is made: what the search came to, handed from pass to pass. Each pass makes a
   new tree; no node, case or version is changed after it is made, so that trees share what they
   have in common. */

/* Kernels of the tree, launched one after the other, with the strategies that made them. */
struct version {
    struct key key;
    const struct part_list *parts;
    bool safe;                          /* it runs with any block on any device */
    size_t n_strategies;
    const struct strategy *const *strategies;   /* applied, in the order of the table */
    size_t n_requirements;
    const struct requirement *requirements;     /* what it needs itself to run; none of the
                                                   safe one */
};

/* One path of the search: a system and the version that runs where it holds. */
struct tree_case {
    struct sas constraints;             /* the path, without the initial system and the facts of
                                           auxiliary integers */
    struct slots slots;                 /* the auxiliary integers in it */
    size_t n_codes;
    const char *const *codes;
    bool unknown;                       /* the solver could not decide whether the path
                                           is consistent */
    size_t version;                     /* index into case_tree.versions */
    bool merged;                        /* it stands for several paths (merge.c) */
};

enum case_kind {
    CASE_FORK,
    CASE_LEAF,
    CASE_REST,                          /* nothing is left to try: the safe version runs */
    CASE_EMPTY                          /* no point comes here: the path is inconsistent */
};

struct case_node {
    enum case_kind kind;
    /* Of a fork. */
    struct constraint test;
    struct slots slots;                 /* of the test and its part */
    const struct counter_test *part;    /* the test is this part of a target's goal, without keys
                                           where several codes ask it (merge.c); NULL = of none */
    const char *counter;                /* whose limit or guard is tested */
    const char *condition;              /* the test is what this strategy requires, which is applied
                                           where it holds; NULL */
    const char *proposed;               /* the test is whether the code with this strategy, which is
                                           applied where it holds, needs no more of a resource than
                                           there is; NULL */
    const char *strategy;               /* applied where the test fails; NULL if none */
    const struct case_node *accept, *refuse;
    /* Of a leaf. */
    const struct tree_case *leaf;
};

struct case_tree {
    struct store *store;
    const struct case_node *root;
    size_t n_versions;
    const struct version *versions;     /* in the order in which the search came to them; exactly
                                           one is safe */
    size_t n_unknown;                   /* questions that the solver left undecided */
};

/* The cases from left to right, which is accept first. */
struct case_list {
    const struct tree_case **at;
    size_t count, capacity;
};
struct case_list case_list_make(struct arena *arena, const struct case_node *root);
/* The same nodes with other leaves, given in the order of case_list_make. */
const struct case_node *case_leaves_replace(struct arena *arena, const struct case_node *root,
                                            const struct tree_case *const *leaves);
const struct case_tree *case_tree_with(const struct case_tree *tree, const struct case_node *root);
/* How many of the versions have cases; the safe one counts always. */
size_t case_tree_used(const struct case_tree *tree);

/* What a version requires as a system over `slots`, which takes its auxiliary integers in. False if
   there is no room. */
bool version_bind(const struct search_space *space, const struct version *version,
                  struct slots *slots, struct sas *fits);

/* What the search came to as a tree. NULL after a diagnostic. */
const struct case_tree *cases_make(struct store *store, const struct search_result *result);

/* The passes, in their order. */
/* constant.c: without tests that always hold or never do. */
const struct case_tree *cases_drop_constant(const struct case_tree *tree);
/* prune.c: a case goes to another version where that is proved to fit throughout the case, was made
   with fewer of the strategies that only save resources, and none of those serves a target: it is
   what the search would have taken. The safe version, which saves everything, gives its cases to
   any that fits. */
const struct case_tree *cases_prune_dominated(const struct case_tree *tree,
                                              struct tree_stats *stats);
/* prune.c: until at most `most` versions have cases, the safe one included: one that is neither
   safe nor the most frugal nor, from three on, the first gives its cases to the nearest of the
   others that is proved to fit, at worst to the safe one. */
const struct case_tree *cases_limit(const struct case_tree *tree, size_t most,
                                    struct tree_stats *stats);
/* merge.c: without tests behind which both branches are alike: the same tests with the
   same versions. */
const struct case_tree *cases_merge_equal(const struct case_tree *tree, struct tree_stats *stats);
/* finish.c: does one ring hold all auxiliary integers that the tree needs? */
bool cases_fit_ring(const struct case_tree *tree);
/* finish.c: versions numbered, auxiliary integers named, counters of the variants; systems as the
   search found them. NULL after a diagnostic. The tree must fit a ring. */
struct tree *cases_finish(const struct case_tree *tree);

/* The tree as text, for -d. */
void cases_print(struct str *out, const struct case_tree *tree);

#endif
