/* The order of the methods for one state. */
#include "constraints/question.h"

enum verdict state_decide(struct question *q, struct state *state)
{
    if (!state_eliminate(q, state))
        return SAS_EMPTY;
    if (q->broken)
        return SAS_UNKNOWN;
    if (!state->count)
        return state_point(q, state) ? SAS_NONEMPTY : SAS_UNKNOWN;
    return SAS_UNKNOWN;
}
