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
/* A comparison with the iterator, perhaps with a literal added, on one side. */
struct header_comparison {
    enum ast_op op;                  /* as if the iterator stood on the left */
    const struct ast *side, *bound;  /* the side of the iterator, the other one */
    int64_t plus;                    /* side_counts */
};
/* Is the node one of `<`, `>`, `<=`, `>=`, `!=`? */
bool is_comparison(const struct ast *node);
/* The operator with its sides exchanged. */
enum ast_op op_exchanged(enum ast_op op);
/* Of `<`, `>`, `<=`, `>=`: the operator that holds of numbers where this one does not. */
enum ast_op op_opposite(enum ast_op op);
/* False if the condition (NULL: none) is no such comparison with the iterator. */
bool header_compares(const struct ast *condition, const struct ast *iterator,
                     struct header_comparison *comparison);
/* Is the node a `for` that gives the variable a value, whatever it was before? */
bool header_begins_anew(const struct ast *node, const struct ast *variable);
/* A use of the variable at or below a node, outside the loops that begin it anew; NULL if there
   is none. */
const struct ast *header_use_outside(const struct ast *node, const struct ast *variable);
/* `i-- > e`, `i-- != 0`, `i--` in place of condition and step: the node `i--`; NULL otherwise. */
const struct ast *header_counted(const struct ast *loop, const struct ast *iterator);

#endif
