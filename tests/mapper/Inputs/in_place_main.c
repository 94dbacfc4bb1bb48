#include "both.h"

DECLARE(doolittle, int, double *);
DECLARE(forward, int, const double *, const double *, double *);
DECLARE(twice, int, double *);
DECLARE(rounds, int, float *);
DECLARE(perhaps, int, double *);

int main(void)
{
    for (int n = 0; n <= 40; n++) {
        BOTH(doolittle, n, n, a[at]);
        BOTH(forward, n, n, a[at], x[at], x[at] + 2 * n);
        BOTH(twice, n, n, a[at]);
        BOTH(rounds, n, n, (float *)a[at]);
        BOTH(perhaps, n, n, a[at]);
    }
    printf("%d of %d differ\n", wrong, runs);
    return wrong != 0;
}
