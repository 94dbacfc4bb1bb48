#ifndef CLAIMS_DOCUMENT_H
#define CLAIMS_DOCUMENT_H
#include "base/ctx.h"
#include "claims/definition.h"

/* tree.json read back, in either layout (docs/tree-json.md): what it says of parameters, cases and
   counters with a limit. Reports, kernels and views are passed over. */

struct document_auxiliary {
    const char *name, *text;
    int variable;
    const struct term *term;
    const struct formula *facts;        /* term_facts of the variable */
};

/* One part of what the tree asks of a target: it gets no harder where no key rises. */
struct document_part {
    int test;                           /* the same for the same part of another leaf */
    size_t n_keys;                      /* 0: the tree has none for it */
    const struct poly *const *keys;
};

/* A counter of a leaf that has a limit: a resource, or a target that the tree asks for. */
struct document_piece {
    struct sas guard;
    const struct poly *numerator, *denominator;     /* NULL = 1 */
};
struct document_need {
    const char *counter;                /* its name in tree.json: "threads_per_block" */
    const char *limit;                  /* "T_B" */
    bool is_resource;
    bool is_foreign;                    /* a target's value has integers of its own, so that it
                                           compares with no other; count is 0 */
    size_t count;                       /* 0: the tree has no value for it */
    const struct document_piece *pieces;
    size_t n_parts;                     /* of a target that is asked for by parts: its value is
                                           passed over, as it may be of other letters */
    const struct document_part *parts;
};

struct document_case {
    struct sas path, shown;             /* `path` and `constraints` */
    const char *codes;                  /* "(1)(4a)" */
    bool has_point;
    const int64_t *point;               /* `witness`, one entry per ring variable */
    const char *reason;                 /* without a point; "" */
    const int64_t *lo, *hi;             /* the box of a dead case; NULL = it is not said to be
                                           dead */
};

struct document_leaf {
    int id;
    bool safe;
    size_t n_cases;
    const struct document_case *cases;
    struct sas fits;
    size_t n_needs;
    const struct document_need *needs;
    const char *strategies;             /* "granularity, cse1"; "" as written */
};

/* A place of the tree: a fork, or where a case stands. NULL: nothing is left to try there, and the
   safe leaf runs. */
struct document_node {
    bool is_fork;
    struct constraint constraint;
    const char *counter, *condition, *proposed, *strategy;      /* NULL = none, but for counter */
    const struct document_part *part;               /* NULL: the fork compares a value */
    const struct document_node *accept, *refuse;
    int leaf;                           /* the id */
    size_t system;                      /* from 0 */
};

struct document_region {
    const char *name;
    bool keeps;                         /* mode keep */
    struct ring *ring;                  /* parameters, then auxiliary integers */
    uint64_t machine;                   /* bit set over ring variables */
    uint64_t unlimited;                 /* of a tree of one machine: those without a limit */
    struct sas initial;                 /* with the machine's numbers, if it is of one */
    size_t n_auxiliaries;
    const struct document_auxiliary *auxiliaries;   /* each after those it uses */
    const struct document_node *root;
    size_t n_leaves;
    const struct document_leaf *leaves;
};

struct document {
    const char *path, *program;
    size_t n_regions;
    const struct document_region *regions;
};

/* `path` is what messages call the text. NULL after a diagnostic. */
const struct document *document_read(struct ctx *ctx, const char *path, const char *text);
/* Does a fork ask for the counter, named as in forks? */
bool document_asks(const struct document_region *region, const char *counter);
/* NULL if there is none. */
const struct document_leaf *document_leaf(const struct document_region *region, int id);

#endif
