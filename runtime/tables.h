#ifndef TREEFORK_TABLES_INTERNAL_H
#define TREEFORK_TABLES_INTERNAL_H
/* The values of a region at one point, and what is asked of them; shared by tables.c,
 * choice.c and region.c.
 */
#include "runtime/internal.h"
#include "runtime/treefork-tables.h"

#pragma GCC visibility push(hidden)

/* Which of a region's launches a device would run from a text for any values of the bound
   parameters, as things stand. */
struct treefork_texts {
    bool (*is_general)(const struct treefork_texts *texts, const struct treefork_module *module);
    const void *state;
};

struct treefork_several;

struct treefork_evaluation {
    const struct treefork_region *region;
    const struct treefork_machine *machine;
    const struct treefork_several *several; /* devices that may share launches, by whose time
                                               leaves are compared; NULL for a single one */
    const struct treefork_texts *texts; /* NULL: each is compiled for its values */
    size_t inputs; /* values that are no results of operations */
    size_t done; /* operations computed */
    treefork_int *value;
    unsigned char *wrong; /* by value: it left 64 bits */
    bool has_accesses; /* `access` is filled in */
    struct treefork_access *access; /* the region's; NULL until figures are asked for */
    struct treefork_warp *warps; /* by access */
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
/* Do the conditions hold under which an array of access OVERWRITE is overwritten? */
bool treefork_evaluation_overwrites(struct treefork_evaluation *e, size_t array);
int treefork_evaluation_plan(struct treefork_evaluation *e, const struct treefork_launch_row *row,
                             int leaf, struct treefork_launch *plan);
int treefork_evaluation_bytes(struct treefork_evaluation *e, size_t array, treefork_int *bytes);
int treefork_evaluation_figures(struct treefork_evaluation *e,
                                const struct treefork_launch_row *row, int leaf,
                                const struct treefork_launch *plan,
                                struct treefork_figures *figures);
/* All launches of the leaf, one after the other. *threads: of its smallest block. */
int treefork_evaluation_predict(struct treefork_evaluation *e, const struct treefork_leaf_row *leaf,
                                treefork_int *threads, struct treefork_prediction *prediction);
/* The leaf that is predicted to be fastest of those that fit; 0 if none does. `only`: the number of
   the leaf that may be taken, 0: each. */
int treefork_evaluation_best(struct treefork_evaluation *e, int only,
                             struct treefork_prediction *best);
/* Values of any kind; false if one left 64 bits. */
bool treefork_evaluation_value(struct treefork_evaluation *e, uint16_t number, treefork_int *value);

/* part_rows.c: what blocks f to t - 1 touch in a row of parts: `pieces` ranges of `length` bytes
   from `offset` on, each `pitch` behind the other; none where the row does not count. Where a write
   may leave elements, `reads` is true, too, but not where blocks add up. */
struct treefork_part_bytes {
    bool reads, writes;
    treefork_int offset, length, pieces, pitch;
};
/* How the row's blocks add up; NONE: they do something else. */
static inline enum treefork_reduction treefork_part_reduction(const struct treefork_part_row *row)
{
    return (enum treefork_reduction)(row->access >> 8);
}
/* False if a value left 64 bits. */
bool treefork_evaluation_part(struct treefork_evaluation *e, const struct treefork_part_row *row,
                              treefork_int f, treefork_int t, struct treefork_part_bytes *bytes);

/* Does the row count? False if that left 64 bits. */
bool treefork_part_counts(struct treefork_evaluation *e, const struct treefork_part_row *row,
                          bool *met);
/* The subscripts from .. to - 1 that blocks f to t - 1 touch by a row that has a step, within the
   array; false if they left 64 bits. */
bool treefork_part_subscripts(struct treefork_evaluation *e, const struct treefork_part_row *row,
                              treefork_int f, treefork_int t, treefork_int *from, treefork_int *to);
/* These subscripts, kept within the row's bounds. */
bool treefork_part_clip(struct treefork_evaluation *e, const struct treefork_part_row *row,
                        treefork_int *from, treefork_int *to);

/* choice.c: the region's own choice. */
struct treefork_choosing {
    const struct treefork_region *region;
    struct treefork_device *device; /* NULL: what is asked is what `machine` would choose, of
                                       which nothing is remembered, tuned or set */
    const struct treefork_machine *machine; /* without a device */
    struct treefork_evaluation *evaluation; /* its point is changed */
    int automatic; /* for NAME_auto */
    bool has_settings; /* TREEFORK_SET is set */
    int forced; /* the only leaf that may be taken; 0: each */
    treefork_int *integers; /* the region's; what is chosen is filled in */
    unsigned given; /* result: tunables that TREEFORK_SET gives, a bit for each row */
    bool is_changed; /* result: an integer is */
    int leaf; /* result: the leaf; 0: nothing is chosen, and NAME_select decides */
    int tuned; /* result: what treefork_tuned_words takes; 0: it is not a tuned choice */
    int devices; /* result: so many devices, as was tuned; 0: as is predicted */
    bool is_held; /* result: a tunable stays as it is because a division is not exact */
};
/* Not OK, with a message, where no candidate can run. */
int treefork_choose(struct treefork_choosing *choosing);
/* Those of the evaluation's devices that share the launches of the leaf at its point; remembered
   for the choosing's device. */
struct treefork_shares;
void treefork_shares_choose(const struct treefork_choosing *choosing,
                            const struct treefork_leaf_row *leaf, struct treefork_shares *shares);

#pragma GCC visibility pop
#endif
