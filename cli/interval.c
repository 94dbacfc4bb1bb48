/* The interval of a median by the order of the samples alone, since times are not normally
   distributed. In: samples; out: their median and interval, by how many are left out at either end.
   Needs libc alone: the bundle for other machines compiles it, too. */
#include "cli/interval.h"
#include <math.h>
#include <stdlib.h>

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

static int number_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct median_interval interval_of(double *samples, size_t n)
{
    size_t margin = interval_margin(n);
    qsort(samples, n, sizeof *samples, number_compare);
    double median = n % 2 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
    return (struct median_interval){median, samples[margin], samples[n - 1 - margin]};
}
