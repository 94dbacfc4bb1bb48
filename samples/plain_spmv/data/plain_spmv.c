/* What `treefork verify --data` fills the arrays of spmv with, before every run: a matrix of n rows and nz elements. Rows have
   different lengths, every fifth none; the columns of a row are any, in any order. val and x stay random. */
#include <stdlib.h>

void spmv_data(int n, int nz, int row[n + 1], int col[nz], double val[nz], double x[n], double y[n])
{
    int filled = 0;
    for (int i = 0; i < n; i++) {
        int left = nz - filled, length = i % 5 == 4 ? 0 : rand() % (2 * nz / n + 1);
        row[i] = filled;
        filled += length < left ? length : left;
    }
    row[n] = nz;
    for (int k = 0; k < nz; k++)
        col[k] = rand() % n;
}
