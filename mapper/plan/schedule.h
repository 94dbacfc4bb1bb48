#ifndef MAPPER_SCHEDULE_H
#define MAPPER_SCHEDULE_H
#include "mapper/plan/plan.h"

/* How a schedule is made: components, axes, host loops, and the steps that have files of their
   own. */

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
/* The same before regions become one. */
bool steps_part(struct scop *scop, const unit_list *units, const struct plan_place *place,
                plan_list *steps);
/* Puts the axes of all regions in order, with their blocks. */
void steps_finish(struct scop *scop, plan_list *steps);
/* The edges that a further loop of the host leaves. */
edge_list edges_below(struct scop *scop, const struct plan_place *place);
/* Has every loop one meaning in each part of the region? */
bool region_roles_agree(const struct scop *scop, int depth, const struct plan_region *region);
/* The worth of a plan in comparisons: axes and host loops, summed over the units. */
struct plan_worth {
    int axes, hosts;
};
void steps_worth(const plan_list *steps, int hosts, struct plan_worth *sum);
/* schedule.c: does every edge among the units stay at one iteration of the loop at `at`? `sums`:
   except edges between accumulations that the loop may take in any order. */
bool loop_is_axis(const struct scop *scop, const struct plan_place *place, const unit_list *units,
                  int at, bool sums);
/* sums.c: adds what the region's threads accumulate in, as far as edges below the loops of the host
   do not stay at one point of the axes, and scalars; false if the region touches that otherwise. */
bool region_sums_find(struct scop *scop, const edge_list *edges, int depth,
                      struct plan_region *region);
/* sums.c: may the loop at a depth become an axis although the edge's accumulations meet there? Axes
   count up: a sum whose bits depend on the order keeps loops that count down. */
bool edge_lets_reduce(const struct scop *scop, const struct scop_edge *edge, int at);
/* alone.c: is the number of its rounds no literal, or a large one? */
bool loop_is_large(const struct scop_loop *loop);
/* sums.c: can the threads of a block share the work of each sum of the region, by an atomic
   operation each or by a tree? */
bool region_sums_are_shared(const struct scop *scop, int depth, const struct plan_region *region);
/* sums.c: does the region accumulate in the array? */
bool region_sums(const struct plan_region *region, const struct scop_array *array);
/* sums.c: adds the scalars that regions accumulate in; false if one touches such a scalar
   otherwise. */
bool schedule_sums(struct scop *scop, plan_list *steps);
/* wide.c: makes the loop that a region of one axis reduces an axis, too, and says which of both
   axes, in the source's order, that is; a region of two axes stays as it is. False for others. */
enum { REDUCED_NONE = -1 };
bool region_widen(struct scop *scop, const struct plan_place *place, struct plan_region *region,
                  int *reduced);
/* wide.c: does one of the first members touch the same element of an array of two axes, at each
   point, as one of the others? */
bool region_shares_plane(const struct plan_region *both, size_t n_first);
/* wide.c: are the elements that two members of a part touch the same at each point? */
bool accesses_are_equal(const struct plan_region *region, int part, const struct scop_access *a,
                        const struct scop_access *b);
/* common.c: units of one circle below a host loop that runs a loop of each; NULL if no choice of
   loops gives them more axes than `other`, or as many with fewer host loops. */
struct plan_step *common_make(struct scop *scop, const unit_list *units,
                              const struct plan_place *place,
                              const struct plan_worth *other);
/* unlike.c: a region with one axis, which runs unlike loops of the units; false if there is
   none. */
bool unlike_find(struct scop *scop, const struct plan_place *place, const unit_list *units,
                 struct plan_region *region);
/* wave.c: the units as a host loop over a wavefront; false if none is found. */
bool wave_make(const struct scop *scop, const unit_list *units, const struct plan_place *place,
               int shared, struct plan_step *step);
/* diagonal.c: the bounds of wavefronts' axes at one value of their sums. */
void schedule_diagonals(struct scop *scop, plan_list *steps);
/* alone.c: does a region of one thread walk whole arrays, in so many large loops at least? */
bool region_walks_arrays(const struct scop *scop, const struct plan_step *step, int least);
/* alone.c: such regions become the host's. */
void schedule_alone(const struct scop *scop, plan_list *steps);
/* merge.c: joins successive regions of one list into one region if this is legal. */
void schedule_merge(struct scop *scop, const struct plan_place *place, plan_list *steps);

#endif
