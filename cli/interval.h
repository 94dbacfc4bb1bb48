#ifndef CLI_INTERVAL_H
#define CLI_INTERVAL_H
#include <stddef.h>

/* How many of n sorted samples may be left out at either end so that their median lies between the
   others with 95 %: the samples below it are as many as heads of n coins. 0 below six. */
size_t interval_margin(size_t n);

/* The median of n samples, n > 0, and what it lies between; sorts them. */
struct median_interval {
    double median, low, high;
};
struct median_interval interval_of(double *samples, size_t n);

#endif
