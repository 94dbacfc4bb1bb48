#ifndef MAPPER_LIMIT_H
#define MAPPER_LIMIT_H
#include "mapper/scop/scop.h"

/* How much isl may do. */

/* From here on isl's work on the scop has an end, up to scop_limit_end: false if isl was stopped,
   which is the scop's refusal then. Later questions about the scop have a limit of their own. */
void scop_limit_begin(struct scop *scop);
bool scop_limit_end(struct scop *scop);
/* False if a fragment has read as many calls as it may. */
bool scop_limit_call(struct scop *scop);
/* The bracket of an optional search by isl, with a part of the operations that the scop has left. A
   search without a result is no refusal. False if no operations are left. */
bool scop_search_begin(struct scop *scop);
void scop_search_end(struct scop *scop);
/* A new question about a scop whose plan is made: isl may answer it although it was stopped at the
   last one. */
void scop_question_begin(struct scop *scop);

#endif
