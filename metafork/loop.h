#ifndef METAFORK_LOOP_H
#define METAFORK_LOOP_H
#include "frontend/ast.h"

struct lower;

/* The head of a `for` that counts, as it is written. */
struct loop_head {
    const struct ast *node, *decl;
    const struct ast *start, *bound; /* the first value; what the variable is compared with */
    enum ast_op op;                  /* the comparison, as if the variable stood on its left */
    const struct ast *factor;        /* the variable times this is compared; NULL: times 1 */
    int64_t ahead;                   /* the variable plus this is compared */
    const struct ast *amount;        /* what a step adds or, with `sign` -1, takes; NULL: 1 */
    int sign;
    bool is_last;                    /* `k-- > b`: the body has one less than is compared */
};

/* False after a refusal; `decl` is set then where the variable is known. */
bool loop_head_read(struct lower *l, const struct ast *node, struct loop_head *head);

/* What refusals advise: the form that is always read. */
extern const char loop_canonical[];

#endif
