/* The interval of a median by the order of the samples alone, since times are not normally
   distributed. In: how many samples; out: how many to leave out at either end. Needs libc alone:
   the bundle for other machines compiles it, too. */
#include "cli/interval.h"
#include <math.h>

size_t interval_margin(size_t n)
{
    double tail = 0, term = pow(0.5, (double)n);
    size_t margin = 0;
    for (size_t k = 0; k < n / 2; k++) {
        tail += term;
        term *= (double)(n - k) / (double)(k + 1);
        if (2 * tail > 0.05)
            break;
        margin = k;
    }
    return margin;
}
