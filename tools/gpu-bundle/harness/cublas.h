#ifndef BUNDLE_CUBLAS_H
#define BUNDLE_CUBLAS_H
/* cuBLAS and the CUDA driver, opened where they are, for what stands beside our own figures. They
   work on memory of their own in the device's primary context. */
#include <stdbool.h>
#include <stddef.h>

/* What cuDriverGetVersion says; 0 without a driver. */
int driver_version(void);
/* The file that was opened: BUNDLE_CUBLAS, or the usual names; "" if there is none. */
const char *cublas_name(void);

struct product {
    int m, n, k;                /* C, m x n = alpha A B + beta C, in rows */
    bool is_double;
    double alpha, beta;
    const void *a, *b, *c;
};
/* Seconds of one product in the median of `runs`; NAN if there is no cuBLAS. */
double cublas_time(const struct product *product, int runs);

#endif
