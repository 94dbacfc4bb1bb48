#ifndef MAPPER_PLAN_H
#define MAPPER_PLAN_H
#include "mapper/scop/scop.h"

/* The schedule of a fragment: host loops, host statements and regions, in their order. */

/* Loops of a region whose points are all concurrent; of a block's threads. */
enum { AXES_MAX = 6, THREAD_AXES_MAX = 3 };

/* A unit in a region, with the unit's loop for each axis of the region. A thread runs the members
   of one part in the order of the source, and the parts one after the other. */
enum { AT_POINT = -1 };
struct plan_member {
    struct scop_unit *unit;
    int part;                        /* from 0; at least the part of the preceding member */
    int axes[AXES_MAX];              /* by axis: the depth of a loop, or AT_POINT */
    struct affine points[AXES_MAX];  /* AT_POINT: the value of the axis at which it runs, over
                                        parameters and iterators of host loops */
    int common;                      /* the depth of the loop that the region's common loop runs */
};

typedef VEC(struct plan_member) member_list;

struct plan_axis {
    const char *name, *type;         /* of the iterator in the thread */
    struct affine lower, upper;      /* the box, both reached; above a step of 1 the upper one
                                        perhaps not */
    int64_t step;                    /* from point to point */
    int64_t extent;                  /* of the block, before one is chosen */
};

/* A bound of an axis on a diagonal that the text computes: the box's, or bound / divisor where that
   is within. */
struct plan_end {
    struct scop_loop *name;          /* the variable, as a loop that forms speak of */
    const char *base;                /* the variable's name if the file has no such name */
    bool upper;
    struct affine box, bound;
    int64_t divisor;
};

/* The points of a wavefront's region at one value of the sum (diagonal.c). */
struct plan_diagonal {
    struct scop_loop *sum;           /* the host loop over the sum */
    int n_ends;
    struct plan_end ends[2 * THREAD_AXES_MAX];
    struct plan_axis axes[THREAD_AXES_MAX];   /* the region's while it is printed */
};

/* An array or scalar that several threads of a region accumulate in: the clause `meta_reduce`. */
struct plan_sum {
    const struct scop_array *array;
    enum reduce_op reduction;
};

/* Threads for the points of a box; without axes one thread. */
struct plan_region {
    int n_axes;
    bool is_ordered;                 /* the axes run as the source's loops do, and only the last one
                                        has threads: serially the text keeps the order of sums */
    VEC(struct plan_sum) sums;
    bool is_strip;                   /* a block for each point of the axis, whose lanes run the
                                        other loop of each member (strips.h) */
    VEC(struct plan_sum) row_sums;   /* sums by the lanes of a strip that is finished */
    bool is_serial;                  /* loops of the host: the judge found no proof, or alone.c */
    struct plan_axis axes[AXES_MAX]; /* the last one is x, whose threads are neighbours; those
                                        before the last three have no threads, only blocks */
    member_list members;
    const struct scop_loop *follows; /* in a wavefront: the loop whose iterator follows from the sum
                                        and the axes; else NULL */
    struct affine wave;              /* the sum of iterators */
    struct plan_diagonal *diagonal;  /* in a finished wavefront: less than the box; else NULL */
    const struct scop_loop *common;  /* the host loop that runs a loop of each member; else NULL */
};

static inline int region_parts(const struct plan_region *region)
{
    size_t count = region->members.count;
    return count ? region->members.at[count - 1].part + 1 : 1;
}

/* Is the member one of the part, or are all meant? */
enum { PART_ALL = -1 };
static inline bool member_is_in(const struct plan_member *member, int part)
{
    return part == PART_ALL || member->part == part;
}

/* The unit as a member of the region; NULL if the region lacks the unit. */
static inline const struct plan_member *region_member(const struct plan_region *region,
                                                      const struct scop_unit *unit)
{
    for (size_t i = 0; i < region->members.count; i++)
        if (region->members.at[i].unit == unit)
            return &region->members.at[i];
    return NULL;
}

/* The loop of a member that is the axis; NULL: it runs at a point. */
static inline const struct scop_loop *member_loop(const struct plan_member *member, int axis)
{
    return member->axes[axis] == AT_POINT ? NULL : member->unit->loops[member->axes[axis]];
}

/* Steps as a region of one block, where their sizes allow it. */
enum { CHAIN_FORMS = 4 };
struct plan_chain {
    int64_t most;                    /* elements of an axis; the host runs the steps if more */
    int n_sizes, n_positive;
    struct affine sizes[CHAIN_FORMS];      /* each at most `most` in a chain */
    struct affine positive[CHAIN_FORMS];   /* each above 0, or nothing runs */
    int64_t extent;                  /* of the block, before one is chosen */
    bool is_round;                   /* the chain is part of a round of the host, without loops */
};

enum plan_kind { PLAN_LOOP, PLAN_WAVE, PLAN_REGION, PLAN_HOST, PLAN_CHAIN };
struct plan_step;
typedef VEC(struct plan_step *) plan_list;

struct plan_step {
    enum plan_kind kind;
    int depth;                       /* host loops around it */
    const struct scop_loop *loop;    /* LOOP */
    struct affine lower, upper;      /* WAVE: the values of the sum */
    plan_list body;
    struct plan_region region;       /* CHAIN: is_serial alone */
    struct plan_chain chain;
    struct scop_unit *unit;          /* HOST */
};

/* May the chain's sizes be too large for one block, so that the host runs its steps? */
static inline bool chain_has_other(const struct plan_step *step)
{
    return step->chain.n_sizes > 0 || step->chain.n_positive > 0;
}

/* schedule.c: is there a region or a chain that is none of the host's? */
bool steps_have_region(const plan_list *steps);

struct schedule {
    struct scop *scop;
    plan_list steps;
    struct schedule *otherwise;      /* taken where `size` is more than one in `share` of the
                                        threads that the device runs at once; NULL: never */
    struct affine size;              /* over parameters */
    int64_t share;
    VEC(struct plan_region *) printed;   /* regions of the text that was made last, by place */
};

typedef VEC(struct scop_unit *) unit_list;

/* The place of steps in a schedule. */
struct plan_place {
    int depth;                       /* host loops around, which all units share */
    const edge_list *edges;          /* the edges that the host loops leave unordered */
    const struct scop_loop *common;  /* the host loop that runs a loop of each unit, or NULL */
    const int *runs;                 /* by the unit's id: the depth of the unit's loop that runs */
};

/* How many axes have only blocks: the first ones. */
static inline int region_block_axes(const struct plan_region *region)
{
    int most = region->is_ordered ? 1 : THREAD_AXES_MAX;
    return region->n_axes > most ? region->n_axes - most : 0;
}

#endif
