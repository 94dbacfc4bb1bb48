#ifndef OPTIMIZER_TREE_H
#define OPTIMIZER_TREE_H
#include "constraints/project.h"
#include "metafork/region.h"
#include "optimizer/counter.h"
#include "optimizer/estimates.h"
#include "optimizer/strategy.h"

/* The result of the comprehensive optimisation of one region. */

enum tree_mode { TREE_KEEP, TREE_RETRACT };

/* A counter replaced by given numbers: registers=9,9 (unreduced, reduced granularity). */
struct injection {
    const char *counter;
    int64_t unreduced, reduced;
};

/* A performance counter that the tree shall fork on: a number, or the machine parameter of
   its row. */
struct target {
    const char *counter;
    bool has_value;
    int64_t value;
};

struct tree_options {
    enum tree_mode mode;
    size_t n_counters;                  /* 0 = all resources, in the order of counter.def */
    const char *const *counters;
    size_t n_targets;                   /* performance counters to fork on besides, behind
                                           the resources */
    const struct target *targets;
    size_t n_injections;
    const struct injection *injections;
    bool golden;                        /* settings of spec C-19's golden runs: order registers,
                                           shared; final CSE sweep; safe leaf outside */
    bool last_block;                    /* the last block may run a kernel that finishes sums */
    bool stages;                        /* tiles may be filled a round ahead, asynchronously */
    bool stats;                         /* tell how the tree came about */
    size_t max_leaves;                  /* budget of variants, the safe one included; 0
                                           = MAX_LEAVES */
    int jam;                            /* 2 or 4 iterations of an outer loop of a thread run at
                                           once; 0 = loops stay as they are */
    int target;                         /* PTX target for the register counter; 0 = the maximum over
                                           the supported ones */
    const struct estimates *replayed;    /* register estimates to be used where recorded; NULL */
    struct estimates *recorded;          /* where those that are made are recorded; NULL */
};

enum { MAX_LEAVES = 64, MAX_LEAVES_LEAST = 2 };

/* The values a parameter can have in a case, whatever the others are: intervals of the
   reals, exact. */
struct leaf_range {
    int variable;
    size_t count;
    const struct interval *at;
};

/* What tree_view is to find out. */
struct view_options {
    bool ranges;
    size_t n_onto;                      /* parameters to project onto; 0 = no projection */
    const int *onto;                    /* ring variables */
    bool cells;                         /* and the cells of that projection in the plane (n_onto
                                           is 2) */
};
/* A case seen from some of its parameters, the others eliminated (tree_view). Machine parameters
   that have no number and auxiliary integers are eliminated too. */
struct leaf_view {
    const struct view_options *options;
    size_t n_ranges;                    /* of the parameters that the case constrains */
    const struct leaf_range *ranges;
    const struct formula *projection;   /* NULL = not asked for, or undecided */
    size_t n_cells;
    const struct cell *cells;           /* the same */
    const char *reason;                 /* something is undecided: why; NULL */
};

/* A box of integers, one entry per ring variable. */
struct integer_box {
    const int64_t *lo, *hi;
};

/* One case: a path's system with its decision codes. */
struct leaf_system {
    struct sas constraints;             /* the full path */
    struct sas minimal;                 /* equivalent, without implied constraints where they were
                                           looked for: what is printed */
    size_t n_codes;
    const char *const *codes;           /* "1", "4a", "3a", "2", "2" */
    bool has_witness;
    const int64_t *witness;             /* integer point, one entry per ring variable */
    const char *reason;                 /* without witness: why */
    const struct integer_box *dead;     /* proved: in this box there is no integer point; NULL =
                                           not proved */
    bool unknown;                       /* the solver could not decide consistency: kept */
    const struct leaf_view *view;       /* NULL = not asked for */
};

struct counter_result {
    const struct counter *counter;
    struct counter_value value;
    size_t n_parts;                     /* of its goal, over the tree's ring */
    const struct counter_test *parts;
};

struct figures;

/* One launch of a variant: a kernel and what is known of it alone. Every kernel of a region has the
   parameters and global arrays of the region's own kernel, in the same order. */
struct launch {
    int number;                         /* from 1, in the order of launching */
    const struct kernel *kernel;        /* optimised */
    const struct kernel *symbolic;      /* the same without arrays whose size is a parameter: for
                                           PTX without binding; may equal kernel */
    const struct poly *registers;       /* estimate per thread, in the tunables; NULL = none */
    const struct figures *figures;      /* for the model of predicted time (optimizer/figures.h) */
    const struct figures *general;      /* those of `symbolic`; NULL where it is `kernel` */
    /* The kernel whose last block does the work of the next launch, and the same for PTX without
       binding. One launch of it takes the place of both where the device orders memory between
       blocks and this launch runs whole; it needs as much as the needier of the two. NULL =
       none. */
    const struct kernel *joined, *joined_symbolic;
    bool is_joined;                     /* `kernel` is the joined one (launch_joined) */
};

/* One code with all its cases and what it needs itself to run: launches, one after the other. */
struct variant {
    int id;                             /* from 1, accept-first order; the safe one last */
    bool safe;
    size_t n_launches;                  /* at least 1 */
    const struct launch *launches;
    size_t n_systems;
    const struct leaf_system *systems;  /* possibly none for the safe one */
    struct sas fits;                    /* empty for the safe one */
    size_t n_counters;                  /* every row of counter.def, those of the search first; of
                                           all launches together, a resource as the launch has it
                                           that needs most */
    const struct counter_result *counters;
    size_t n_strategies;
    const struct strategy *const *strategies;   /* lambda and the source ones, in phase order */
};

/* The decision tree for printing: a fork is a test with two children, a leaf a case of a variant. A
   missing child (NULL) is where nothing was left to try: the safe variant runs. */
enum node_kind { NODE_FORK, NODE_LEAF };

struct node {
    enum node_kind kind;
    /* Of a fork. */
    struct constraint constraint;       /* accept if it holds */
    const struct counter_test *part;    /* the test is this part of a target's goal; what the search
                                           compares of it are the keys, none where several codes
                                           ask it; NULL = of none */
    const char *counter;
    const char *condition;              /* the test is what this strategy needs, which is applied on
                                           the accept edge; else NULL */
    const char *proposed;               /* the test is whether the code with this strategy, which is
                                           applied on the accept edge, needs no more of a resource
                                           than there is; else NULL */
    const char *strategy;               /* applied on the refuse edge; NULL if none */
    const struct node *accept, *refuse;
    /* Of a leaf. */
    int variant;                        /* its id */
    size_t system;                      /* index into the variant's systems */
};

/* What CPU time goes into (optimizer/cost.def). */
enum cost {
#define X(SYMBOL, name, what) COST_##SYMBOL,
#include "optimizer/cost.def"
#undef X
    COST_COUNT
};
const char *cost_name(enum cost cost);

/* How a tree came about. */
struct tree_stats {
    size_t paths;                       /* that the search found consistent */
    size_t kernels;                     /* made, for as many sets of strategies */
    size_t leaves_alike;                /* paths whose kernel an earlier path has: the same leaf */
    size_t cases_merged;                /* joined to another, the test between them
                                           without consequence */
    size_t leaves_dominated, cases_dominated;   /* leaves that gave all their cases to better ones;
                                                   cases given */
    size_t leaves_cut, cases_cut;       /* by the budget of leaves */
    uint64_t questions_search, questions_prune; /* to the solver: consistency of paths; does a
                                                   variant fit in a case */
    double seconds[COST_COUNT];         /* CPU time */
};

struct tree {
    const struct region *region;
    struct ring *ring;
    uint64_t machine;                   /* bit set of the ring variables that are
                                           machine parameters */
    enum tree_mode mode;
    const int64_t *numbers;             /* of a tree of one machine: by ring variable, of machine
                                           parameters (INT64_MAX = unlimited); NULL = of any */
    struct sas initial;                 /* the initial system */
    size_t n_auxiliaries;               /* bounded auxiliary integers of the systems, each after
                                           those it uses */
    const struct auxiliary *const *auxiliaries;
    const struct node *root;
    size_t n_variants;
    const struct variant *variants;
    size_t n_nodes, n_unknown;
    const struct tree_stats *stats;     /* NULL = not asked for */
};

/* What the solver proves of a tree's cases, those of the safe variant included: 1 proved, 0
   refuted, -1 undecided. */
struct tree_partition {
    int covers;                         /* every point of the initial system lies in a case */
    int disjoint;                       /* none lies in two */
};
struct tree_partition tree_partition(const struct tree *tree);

/* Algorithms 1 and 2 on the region. NULL after a diagnostic. */
const struct tree *tree_build(struct ctx *ctx, const struct region *region,
                              const struct tree_options *options);
/* leaf.c: facts of all auxiliary integers of a tree. */
struct sas auxiliary_facts(struct arena *arena, const struct tree *tree);
/* leaf.c: the tree with minimal systems. */
const struct tree *tree_simplify(struct arena *arena, const struct tree *tree);
/* leaf.c: the tree with an integer witness of each case, found by sampling or else by search. */
const struct tree *tree_add_witnesses(struct arena *arena, const struct tree *tree);
/* witness.c: a point of the path by sampling: what the definitions of auxiliary integers use is
   drawn, the limits follow. No machine parameter exceeds its entry of `high` (0 = any). False if
   none was found (nothing is proved by that). */
bool witness_sample(struct arena *arena, const struct tree *tree, struct sas path,
                    const int64_t *high, int64_t *point);
/* The variant whose case holds at an integer point (one entry per ring variable; INT64_MAX =
   unlimited machine parameter): its index, the safe one if none; -1 on overflow. Entries of
   auxiliary integers are not read but computed. `system` may be NULL. */
int tree_select(const struct tree *tree, const int64_t *point, size_t *system);
/* Fills in the entries of the auxiliary integers of a point. False if one leaves 64 bits
   (INT64_MAX then). */
bool tree_point_complete(const struct tree *tree, int64_t *point);
/* Truth of a system at a point whose auxiliary entries are filled in: 1, 0, -1 (overflow); an
   unlimited machine parameter makes accept constraints true and refuse constraints
   false, unevaluated. */
int tree_system_holds(const struct tree *tree, struct sas sas, const int64_t *point);

/* The tree with machine parameters put in: `values` has one entry per ring variable, read for those
   of tree->machine only (INT64_MAX = unlimited). Constraints that become constant vanish, systems
   that become empty are left out, variants keep their numbers; the variants without any system are
   left out, except the safe one. */
const struct tree *tree_specialise(struct ctx *ctx, const struct tree *tree, const int64_t *values);

/* The tree with a view of each case. All parameters are integers, which bounds are rounded to;
   beyond that the elimination is over the reals: exact for these, and no integer solution
   is lost. */
const struct tree *tree_view(struct ctx *ctx, const struct tree *tree,
                             const struct view_options *options);

/* Terminal picture of the tree (`treefork tree`). */
void tree_print(struct ctx *ctx, struct str *out, const struct tree *tree);
/* The ranges and the projection of a case, in lines of their own. */
void leaf_view_print(struct str *out, const struct tree *tree, const struct leaf_view *view);
/* All counters of all leaves with every case of theirs. */
void tree_print_told(struct str *out, const struct tree *tree);

/* The joined kernel of a launch that has one, as a launch of the same number: for those who print
   and compile kernels. */
struct launch launch_joined(const struct launch *launch);

/* The variant of that number; NULL if there is none. */
const struct variant *tree_variant(const struct tree *tree, int id);
/* The variant at an end of the tree: the safe one where nothing is left to try (NULL). */
const struct variant *tree_end_variant(const struct tree *tree, const struct node *end);

#endif
