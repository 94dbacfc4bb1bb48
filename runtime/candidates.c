/* Which numbers are tried for a tunable. In: how many powers of two are of use, and what a number
   has to divide. Out: rising numbers. A divisor with many factors of two is near to the power of
   two that it stands for in what hardware counts: lines, warps, banks. */
#include "runtime/candidates.h"
#include <stddef.h>

/* The divisor between `low`, a power of two, and the next with the most factors of two; the least
   of several; 0: none. */
static int64_t divisor_find(int64_t low, treefork_divides *divides, void *state)
{
    for (int64_t step = low; step >= 1; step /= 2)
        for (int64_t number = low; number < 2 * low; number += step)
            if (divides(state, number))
                return number;
    return 0;
}

int treefork_candidates(int choices, treefork_divides *divides, void *state, int64_t *at)
{
    int n = 0;
    for (int k = 0; k < choices && n < CANDIDATES_MAX; k++) {
        int64_t power = (int64_t)1 << k, found = power;
        if (divides)
            found = divisor_find(power, divides, state);
        if (found)
            at[n++] = found;
    }
    return n;
}
