#ifndef BUNDLE_SPREAD_H
#define BUNDLE_SPREAD_H
/* What a number of samples say: the median, and its 95 % interval by the order of the samples alone
   (below six samples their range). */
#include "row.h"

enum { SAMPLES_MAX = 101 };

struct samples {
    int n;
    double at[SAMPLES_MAX];
};

struct spread {
    int n;
    double median, low, high;
};

/* Beyond SAMPLES_MAX nothing is added. */
void samples_add(struct samples *samples, double value);
struct spread samples_spread(const struct samples *samples);
/* "name": {"median": …, "low": …, "high": …, "n": …}, each times `scale`. */
void row_spread(struct row *row, const char *name, struct spread spread, double scale);

#endif
