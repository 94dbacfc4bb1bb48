#include "spread.h"
#include "cli/interval.h"
#include <math.h>
#include <string.h>

void samples_add(struct samples *samples, double value)
{
    if (samples->n < SAMPLES_MAX)
        samples->at[samples->n++] = value;
}

struct spread samples_spread(const struct samples *samples)
{
    double sorted[SAMPLES_MAX];
    int n = samples->n;
    if (n == 0)
        return (struct spread){0, NAN, NAN, NAN};
    memcpy(sorted, samples->at, (size_t)n * sizeof *sorted);
    struct median_interval interval = interval_of(sorted, (size_t)n);
    return (struct spread){n, interval.median, interval.low, interval.high};
}

void row_spread(struct row *row, const char *name, struct spread spread, double scale)
{
    row_object(row, name);
    row_number(row, "median", spread.median * scale);
    row_number(row, "low", spread.low * scale);
    row_number(row, "high", spread.high * scale);
    row_integer(row, "n", spread.n);
    row_close(row);
}
