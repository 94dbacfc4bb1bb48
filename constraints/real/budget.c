/* The step budget. In: an allowance of steps; a step is about the work of one coefficient operation
   on a machine word, so that the amounts taken by different parts are comparable. Out: whether the
   work may be done. Invariant: once spent a budget stays spent and keeps its first reason; the
   amounts depend on sizes, degrees and precisions alone, never on the clock, so that the same
   question always ends at the same place. */
#include "constraints/real/real.h"

void budget_end(struct budget *budget, const char *reason)
{
    if (budget->spent)
        return;
    budget->left = 0;
    budget->spent = true;
    budget->reason = reason;
}

bool budget_take(struct budget *budget, uint64_t steps)
{
    if (budget->spent)
        return false;
    if (budget->left < steps) {
        budget_end(budget, "the step budget is spent");
        return false;
    }
    budget->left -= steps;
    return true;
}
