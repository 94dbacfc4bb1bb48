#ifndef TREEFORK_TABLES_INTERNAL_H
#define TREEFORK_TABLES_INTERNAL_H
/* The values of a region at one point, and what is asked of them; shared by tables.c and region.c.
 */
#include "runtime/internal.h"
#include "runtime/treefork-tables.h"

#pragma GCC visibility push(hidden)

struct treefork_evaluation {
    const struct treefork_region *region;
    const struct treefork_machine *machine;
    size_t inputs; /* values that are no results of operations */
    size_t done; /* operations computed */
    treefork_int *value;
    unsigned char *wrong; /* by value: it left 64 bits */
    bool has_accesses; /* `access` is filled in */
    struct treefork_access *access; /* the region's */
    unsigned char *access_wrong; /* one of its values left 64 bits */
};

/* OK if tables of this layout can be read; `kind`: "region" or "function". */
int treefork_layout_check(const char *kind, const char *name, int layout);
/* Nothing is kept after a failure. */
int treefork_evaluation_new(const struct treefork_region *region, struct treefork_evaluation *e);
void treefork_evaluation_free(struct treefork_evaluation *e);
/* Another point: the machine and the region's integer parameters. */
void treefork_evaluation_set(struct treefork_evaluation *e, const struct treefork_machine *machine,
                             const treefork_int *values);

/* NULL if there is no leaf of that number. */
const struct treefork_leaf_row *treefork_leaf_find(const struct treefork_region *region, int leaf);
bool treefork_evaluation_fits(struct treefork_evaluation *e, const struct treefork_leaf_row *leaf,
                              struct treefork_trace *trace);
/* Is every division exact that has to be? */
bool treefork_evaluation_exact(struct treefork_evaluation *e);
int treefork_evaluation_plan(struct treefork_evaluation *e, const struct treefork_launch_row *row,
                             int leaf, struct treefork_launch *plan);
int treefork_evaluation_bytes(struct treefork_evaluation *e, size_t array, treefork_int *bytes);
int treefork_evaluation_figures(struct treefork_evaluation *e,
                                const struct treefork_launch_row *row, int leaf,
                                const struct treefork_launch *plan,
                                struct treefork_figures *figures);
int treefork_evaluation_predict(struct treefork_evaluation *e, const struct treefork_leaf_row *leaf,
                                struct treefork_prediction *prediction);
/* The leaf that is predicted to be fastest of those that fit; 0 if none does. */
int treefork_evaluation_best(struct treefork_evaluation *e, struct treefork_prediction *best);

#pragma GCC visibility pop
#endif
