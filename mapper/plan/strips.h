#ifndef MAPPER_STRIPS_H
#define MAPPER_STRIPS_H
#include "mapper/plan/plan.h"

/* Strips: regions with a block for each row, or for each group of neighbouring columns
   (`is_strip`). */

/* The threads of their blocks, and the columns that a block owns: as many as are read from memory
   at once. */
enum { STRIP_LANES = 256, STRIP_COLUMNS = 8 };
/* The points of the axis that a block owns: 1, where these are rows, STRIP_COLUMNS, or 0 if the
   members do not agree: the last subscripts of arrays of two axes follow rows in none of them, and
   columns in all. */
int64_t strip_points(const struct plan_region *region, int depth);
/* Does the member accumulate in what all columns of a block have in common? A thread of such a
   block then runs all of them for one lane, the others one for each thread. */
bool strip_walks(const struct plan_member *member);
/* Does the member start, at the first point of the axis, what the lanes walk over? */
bool strip_starts(const struct plan_member *member);
/* The depth of the member's loop that the lanes of a block run, or LANES_NONE: the member has no
   such loop, and one thread runs it. */
enum { LANES_NONE = -1 };
int strip_lanes(const struct plan_member *member, int depth);
/* Makes the loops that a region of one axis reduces its axis, so that it has the axis of the other
   region; single statements in a single loop start an array that is walked over. False if a member
   has more loops, the region another number of axes, or is a strip already. *sums: some members are
   no such starts. */
bool strip_turn(struct scop *scop, int depth, const struct plan_region *other,
                struct plan_region *region, bool *sums);
/* May the region be a strip? Its sums are found, and its edges stay in their points of the axis. */
bool strip_fits(const struct plan_place *place, const struct plan_region *region);
/* Do lanes of the first members touch the same element of an array of two axes as those of the
   others, while all points of the axis accumulate in something? */
bool strip_shares(struct scop *scop, const struct plan_place *place,
                  const struct plan_region *region, size_t n_first);
/* Finds the sums by the lanes of a strip that is complete. */
void strip_sums(struct scop *scop, struct plan_region *region);

#endif
