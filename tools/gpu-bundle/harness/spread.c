#include "spread.h"
#include "cli/interval.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void samples_add(struct samples *samples, double value)
{
    if (samples->n < SAMPLES_MAX)
        samples->at[samples->n++] = value;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct spread samples_spread(const struct samples *samples)
{
    double sorted[SAMPLES_MAX];
    int n = samples->n;
    if (n == 0)
        return (struct spread){0, NAN, NAN, NAN};
    int margin = (int)interval_margin((size_t)n);
    memcpy(sorted, samples->at, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    double median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    return (struct spread){n, median, sorted[margin], sorted[n - 1 - margin]};
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
