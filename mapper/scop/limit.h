#ifndef MAPPER_LIMIT_H
#define MAPPER_LIMIT_H
#include "mapper/scop/scop.h"

/* How long isl may work. */

/* From the first call on isl's work on the scop has an end; after the second it is no
   more watched: false if isl was stopped, which is the scop's refusal then. */
void scop_limit_begin(struct scop *scop);
bool scop_limit_end(struct scop *scop);

#endif
