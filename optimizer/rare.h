#ifndef OPTIMIZER_RARE_H
#define OPTIMIZER_RARE_H
#include "optimizer/counters/scope.h"

/* The branches of a kernel that are seldom taken (`else rare`). */

/* The kernel without them; `slow`: one of its statements that has such a branch, which is taken
   instead of the usual one, or NULL. */
const struct kernel *kernel_usual(struct arena *arena, const struct kernel *kernel,
                                  const struct stmt *slow);
/* The innermost statement on the usual way whose rare branch is not so rare: threads take it whose
   points lie on both sides of a condition over two axes, which *straddle describes; NULL if there
   is none. */
const struct stmt *rare_straddling(struct scope *scope, struct list_straddle *straddle);

#endif
