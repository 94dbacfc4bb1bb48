#ifndef MAPPER_PLAN_H
#define MAPPER_PLAN_H
#include "mapper/scop.h"

/* The schedule of a fragment: host loops, host statements and regions, in their order. */

enum { AXES_MAX = 3 };

/* A unit in a region: which of its loops is which axis. */
struct plan_member {
    struct scop_unit *unit;
    int axes[AXES_MAX];              /* by axis: the depth of a loop */
};

struct plan_axis {
    const char *name, *type;         /* of the iterator in the thread */
    struct affine lower, upper;      /* the box, both reached */
    int64_t extent;                  /* of the block, before one is chosen */
};

/* Threads for the points of a box; without axes one thread. */
struct plan_region {
    int n_axes;
    bool is_serial;                  /* the judge found no proof: loops of the host */
    struct plan_axis axes[AXES_MAX]; /* the last one is x, whose threads are neighbours */
    VEC(struct plan_member) members;
    const struct scop_loop *follows; /* in a wavefront: the loop whose iterator follows from the sum
                                        and the axes; else NULL */
    struct affine wave;              /* the sum of iterators */
};

enum plan_kind { PLAN_LOOP, PLAN_WAVE, PLAN_REGION, PLAN_HOST };
struct plan_step;
typedef VEC(struct plan_step *) plan_list;

struct plan_step {
    enum plan_kind kind;
    int depth;                       /* host loops around it */
    const struct scop_loop *loop;    /* LOOP */
    struct affine lower, upper;      /* WAVE: the values of the sum */
    plan_list body;
    struct plan_region region;
    struct scop_unit *unit;          /* HOST */
};

struct schedule {
    struct scop *scop;
    plan_list steps;
};

/* schedule.c: NULL after a diagnostic, also where nothing is parallel. */
struct schedule *schedule_make(struct scop *scop);
/* Units of a step and of all below it. */
typedef VEC(struct scop_unit *) unit_list;
void schedule_units(struct arena *arena, const struct plan_step *step, unit_list *units);
/* wave.c: the units as a host loop over a wavefront; false if none is found. */
bool wave_make(const struct scop *scop, const unit_list *units, int depth, int shared,
               struct plan_step *step);
/* merge.c: regions of one list that may be one region become one. */
void schedule_merge(struct scop *scop, plan_list *steps);
/* box.c: the boxes of a region's axes; false if two members' boxes do not differ by constants. */
bool region_box(const struct scop *scop, int depth, struct plan_region *region);
/* box.c: the form with every iterator of the loops from `depth` on at its bound; false on
   overflow. */
bool affine_bound(const struct scop *scop, int depth, const struct affine *form, bool upper,
                  struct affine *out);
/* Widens a bound to another that differs by a constant; false if it differs otherwise. */
bool bound_join(struct affine *bound, const struct affine *other, bool upper);
/* order.c: the order of axes and the extents of blocks. */
void region_order(struct scop *scop, int depth, struct plan_region *region);

/* print.c */
struct word_list;
/* The words of a file, from which new names must differ. */
struct word_list *words_of(struct arena *arena, const struct source *source);
/* The plan as C, `indent` columns from the left. */
void schedule_print(struct str *out, const struct schedule *plan, struct word_list *words,
                    int indent);

#endif
