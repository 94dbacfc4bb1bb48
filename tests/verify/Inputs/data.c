/* A matrix of which rows and columns count from 1. BEYOND: this function leaves row. ZERO: columns count from 0. */
#include <stdlib.h>
#ifdef BEYOND
enum { MORE = 1 };
#else
enum { MORE = 0 };
#endif
#ifdef ZERO
enum { FIRST = 0 };
#else
enum { FIRST = 1 };
#endif

void spmv_data(int n, int nz, int row[n + 1], int col[nz], double val[nz], double x[n], double y[n])
{
    for (int i = 0; i <= n + MORE; i++)
        row[i] = 1 + (int)((long)nz * i / n);
    for (int k = 0; k < nz; k++)
        col[k] = FIRST + rand() % n;
}
