#ifndef MAPPER_PLAN_H
#define MAPPER_PLAN_H
#include "mapper/scop.h"

/* The schedule of a fragment: host loops, host statements and regions, in their order. */

/* Loops of a region whose points are all concurrent; of a block's threads. */
enum { AXES_MAX = 6, THREAD_AXES_MAX = 3 };

/* A unit in a region: which of its loops is which axis. A thread runs the members of one part in
   the order of the source, and the parts one after the other. */
enum { AT_POINT = -1 };
struct plan_member {
    struct scop_unit *unit;
    int part;                        /* from 0; no less than that of the member before */
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
    const char *base;                /* what it is called where that is free */
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

/* Threads for the points of a box; without axes one thread. */
struct plan_region {
    int n_axes;
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

/* The unit as a member of the region; NULL if it is none. */
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
    int64_t most;                    /* elements of an axis in it, above which the host runs them */
    int n_sizes, n_positive;
    struct affine sizes[CHAIN_FORMS];      /* each of which must be at most that */
    struct affine positive[CHAIN_FORMS];   /* and each of these above 0, or nothing runs */
    int64_t extent;                  /* of the block, before one is chosen */
    bool is_round;                   /* it is a part of a round of the host: it has no loops */
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

struct schedule {
    struct scop *scop;
    plan_list steps;
    struct schedule *otherwise;      /* taken where `size` is more than one in `share` of the
                                        threads that the device runs at once; NULL: never */
    struct affine size;              /* over parameters */
    int64_t share;
};

/* choose.c: "n <= meta_threads() / 8": under which the plan is taken; NULL: it has no other. */
const char *plan_size_text(const struct schedule *plan);

typedef VEC(struct scop_unit *) unit_list;

/* Where steps stand. */
struct plan_place {
    int depth;                       /* host loops around, which all units share */
    const edge_list *edges;          /* what those leave to be ordered */
    const struct scop_loop *common;  /* a host loop in them that runs a loop of each unit */
    const int *runs;                 /* by the unit's id: the depth of that loop */
};

/* How many axes have only blocks: the first ones. */
static inline int region_block_axes(const struct plan_region *region)
{
    return region->n_axes > THREAD_AXES_MAX ? region->n_axes - THREAD_AXES_MAX : 0;
}

/* schedule.c: is the unit in the list? */
bool units_have(const unit_list *units, const struct scop_unit *unit);
/* schedule.c: NULL after a diagnostic, also where nothing is parallel. */
struct schedule *schedule_make(struct scop *scop);
/* Units of a step and of all below it. */
void schedule_units(struct arena *arena, const struct plan_step *step, unit_list *units);
/* Distribution of units; false if a region has no box or a loop two meanings, which can happen
   below a common loop only. */
bool steps_make(struct scop *scop, const unit_list *units, const struct plan_place *place,
                plan_list *steps);
/* What a plan is compared by: axes and host loops, summed over the units. */
struct plan_worth {
    int axes, hosts;
};
void steps_worth(const plan_list *steps, int hosts, struct plan_worth *sum);
/* common.c: units of one circle below a host loop that runs a loop of each; NULL if no choice of
   loops gives them more axes than `other`, or as many with fewer host loops. */
struct plan_step *common_make(struct scop *scop, const unit_list *units,
                              const struct plan_place *place,
                              const struct plan_worth *other);
/* wave.c: the units as a host loop over a wavefront; false if none is found. */
bool wave_make(const struct scop *scop, const unit_list *units, const struct plan_place *place,
               int shared, struct plan_step *step);
/* diagonal.c: the bounds of wavefronts' axes at one value of their sums. */
void schedule_diagonals(struct scop *scop, plan_list *steps);
/* alone.c: regions of one thread that walk whole arrays become the host's. */
void schedule_alone(plan_list *steps);
/* merge.c: regions of one list that may be one region become one. */
void schedule_merge(struct scop *scop, const struct plan_place *place, plan_list *steps);
/* Has every loop one meaning in each part of the region? */
bool region_roles_agree(const struct scop *scop, int depth, const struct plan_region *region);
/* splitting.c: does no dependence among parts of a nest that are in one part of the region go
   against their order in the text? */
bool splitting_region_is_ordered(const struct scop *scop, const struct plan_region *region);
/* chain.c: do the region's threads run statements alone? */
bool region_is_flat(const struct scop *scop, int depth, const struct plan_region *region);
/* point.c: may the lesser region's members run at points of the other one's axes? */
bool points_allow(const struct scop *scop, int depth, const struct plan_region *lesser,
                  const struct plan_region *greater);
/* point.c: the value of an axis of the greater region, whose boxes are known, at which a member of
   the lesser one may run; false if there is none. */
bool point_find(const struct scop *scop, const struct plan_place *place,
                const struct plan_member *member, const struct plan_region *greater, int axis,
                struct affine *value);
/* point.c: is the member's value of the axis in the box, which is widened by constants, wherever
   the member runs? */
bool point_fits(const struct scop *scop, const struct plan_member *member, int axis,
                struct plan_axis *box);
/* point.c: are two forms, over loops of the statement at an end of the edge, equal in all pairs? */
bool edge_is_at(const struct scop *scop, const struct scop_edge *edge, bool at_end,
                const struct affine *value, const struct affine *other);
/* box.c: a loop that is the axis in the part. */
const struct scop_loop *region_loop(const struct plan_region *region, int part, int axis);
/* box.c: the boxes of a region's axes; false if two members' boxes do not differ by constants. */
bool region_box(const struct scop *scop, int depth, struct plan_region *region);
/* box.c: the bounds of one loop of a unit, given the host loops and the common loop; false if they
   are not affine. */
bool unit_bounds(const struct scop *scop, const struct scop_unit *unit, int depth, int common,
                 int at, struct affine *lower, struct affine *upper);
/* box.c: is the form, over loops of a member of the part, at least 0 in the whole box? */
bool region_implies(const struct scop *scop, int depth, const struct plan_region *region, int part,
                    const struct affine *form);
/* box.c: the form over the common loop and the axes of the part's first member; false on
   overflow. */
bool region_unify(const struct plan_region *region, int part, struct affine *form);
/* box.c: the host loops that a region's forms are over, and what stands for such; their number. */
enum { HOSTS_MAX = LOOP_DEPTH_MAX + 2 + 2 * THREAD_AXES_MAX };
int region_hosts(const struct plan_region *region, int depth, const struct scop_loop **loops);
/* box.c: the form with every iterator of the loops from `depth` on at its bound; false on
   overflow. */
bool affine_bound(const struct scop *scop, int depth, const struct affine *form, bool upper,
                  struct affine *out);
/* box.c: what an equality says of dimension `at`; false if that is no whole form. */
struct isl_constraint;
bool constraint_bound(const struct scop *scop, const struct scop_stmt *stmt,
                      __isl_keep struct isl_constraint *constraint, int at, struct affine *bound);
/* box.c: bounds of the first subscripts of the elements that an access touches, over parameters;
   false if there are none. */
bool relation_rows(const struct scop *scop, const struct scop_access *access, struct affine *first,
                   struct affine *last);
/* box.c: the form with another loop's iterator in place of one's; false on overflow. */
bool iterator_replace(struct affine *form, const struct scop_loop *from,
                      const struct scop_loop *to);
/* Widens a bound to another that differs by a constant; false if it differs otherwise. */
bool bound_join(struct affine *bound, const struct affine *other, bool upper);
/* order.c: the order of axes and the extents of blocks. */
void region_order(struct scop *scop, int depth, struct plan_region *region);
/* order.c: lines of memory that a thread of the best block touches, of a block and of a warp. */
double region_lines(const struct scop *scop, int depth, const struct plan_region *region);
/* Sectors of 32 bytes that a thread adds to what its neighbour on x touches, over all elements that
   the member touches. */
double unit_sectors(const struct plan_region *region, const struct plan_member *member);

/* print.c */
struct word_list;
/* The words of a file and the macros of its headers, from which new names must differ. */
struct word_list *words_of(struct arena *arena, const struct ast_unit *unit);
/* The plan as C, `indent` columns from the left. */
void schedule_print(struct str *out, const struct schedule *plan, struct word_list *words,
                    int indent);

#endif
