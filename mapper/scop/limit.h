#ifndef MAPPER_LIMIT_H
#define MAPPER_LIMIT_H
#include "mapper/scop/scop.h"

/* How much isl may do. */

/* From here on isl's work on the scop has an end, up to scop_limit_end: false if isl was stopped,
   which is the scop's refusal then. What is asked of the scop later has an end of its own. */
void scop_limit_begin(struct scop *scop);
bool scop_limit_end(struct scop *scop);
/* Between these isl looks for something that the scop can do without, with a part of what the scop
   has left; what it did not find is no refusal. False if nothing is left to look with. */
bool scop_search_begin(struct scop *scop);
void scop_search_end(struct scop *scop);

#endif
