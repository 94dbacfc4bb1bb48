#ifndef FRONTEND_HEADER_H
#define FRONTEND_HEADER_H
#include "frontend/ask.h"

/* What the header of a `for` says, as nodes: the variable, what is compared, the step. */

/* The variable that a loop's first part sets, and to what; NULL if it sets none, or several. */
const struct ast *header_iterator(const struct ast *start, const struct ast **value);
/* The number of assignments or declarators in the first (0) or third (2) part of a loop's header,
   `s = 0, i = 0`. */
int header_count(const struct ast *loop, int part);
/* Such an assignment, by its number from 0, or the variable of such a declarator. */
const struct ast *header_at(const struct ast *loop, int part, int number);
/* The assignment or declarator by which the loop counts. NULL: the part has none, or another one of
   the part uses the iterator. */
const struct ast *header_own(const struct ast *loop, int part);
/* The amount that a step adds to the iterator, NULL for 1; `sign` is -1 where it is subtracted.
   False if the step does something else. */
bool header_amount(const struct ast *step, const struct ast *iterator, int *sign,
                   const struct ast **amount);
/* The same of a literal amount below 2^31: c of `i += c`, -c of `i -= c`; 0 for other steps. */
int64_t header_step(const struct ast *step, const struct ast *iterator);
/* What a side of a comparison adds to the iterator: `i`, `i + 1`, `i - 1`; false if it is another
   expression. */
bool side_counts(const struct ast *side, const struct ast *iterator, int64_t *plus);
/* `i-- > e`, `i-- != 0`, `i--` in place of condition and step: the node `i--`; NULL otherwise. */
const struct ast *header_counted(const struct ast *loop, const struct ast *iterator);

#endif
