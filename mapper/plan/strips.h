#ifndef MAPPER_STRIPS_H
#define MAPPER_STRIPS_H
#include "mapper/plan/plan.h"

/* Strips: regions with a block for each row (`is_strip`). */

/* The extent of their blocks. */
enum { STRIP_LANES = 256 };
/* The depth of the member's loop that the lanes of a block run, or LANES_NONE: the member has no
   such loop, and one thread runs it. */
enum { LANES_NONE = -1 };
int strip_lanes(const struct plan_member *member, int depth);
/* Makes the loops that a region of one axis reduces its rows; false if a member has not two loops,
   the region another number of axes, or rows already. */
bool strip_turn(struct scop *scop, int depth, struct plan_region *region);
/* May the region be a strip? Its sums are found, and its edges stay in their rows. */
bool strip_fits(const struct plan_place *place, const struct plan_region *region);
/* Do lanes of the first members touch the same element of an array of two axes as those of the
   others, while something is summed along columns? */
bool strip_shares(struct scop *scop, const struct plan_place *place,
                  const struct plan_region *region, size_t n_first);
/* Finds the sums along rows of a strip that is complete. */
void strip_sums(struct scop *scop, struct plan_region *region);

#endif
