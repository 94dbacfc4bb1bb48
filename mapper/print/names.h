#ifndef MAPPER_NAMES_H
#define MAPPER_NAMES_H
#include "mapper/forms/words.h"
#include "mapper/plan/plan.h"

/* Names of the printed text. */

/* Fills in the names of a region's axes in a part. Those of the first part are free in all of them,
   and in another part none is the first part's name of another axis. */
void region_names(struct word_list *words, const struct scop *scop, struct plan_region *region,
                  int depth, int part);

#endif
