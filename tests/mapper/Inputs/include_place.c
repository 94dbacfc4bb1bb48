/* Includes in branches of the preprocessor: the mapped text has its own where every branch sees it. */
/* no include:
#include <nothing.h>
*/
#ifndef ONCE
#define ONCE
#include <math.h>
# ifdef MISSING
#  include "missing.h"
# else
#  include <stdio.h>
# endif
#ifdef MISSING
#include "more.h"
#endif
void f(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = sqrt(b[i]);
}

void heads(int n, double *restrict a, const double *restrict b)
{
    int i, j;
#pragma omp parallel for private(j)
#if defined(DOWNWARDS)
    for (i = n - 1; i >= 0; i--) {
        for (j = 7; j >= 0; j--) {
#else
    for (i = 0; i < n; i++) {
        for (j = 0; j < 8; j++) {
#endif
            a[i * 8 + j] = b[i];
            a[i * 8 + j] += b[j];
        }
    }
}
#endif
