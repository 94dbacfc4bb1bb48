#include <assert.h>
#include <metafork.h>

/* Matrix product c += a * b by blocks, for any n: a block computes B0 rows of ub1 * s columns, each thread s coefficients
   that lie ub1 columns apart. The grid is rounded up, and the guard leaves out what lies beyond the matrices. */
void matmul(int n, int s, int B0, int ub1, float a[n][n], float b[n][n], float c[n][n])
{
    assert(B0 <= ub1 * s);
    int dim0 = (n + B0 - 1) / B0, dim1 = (n + ub1 * s - 1) / (ub1 * s);
    meta_schedule cache(a, b) {
        meta_for (int i = 0; i < dim0; i++)
            meta_for (int j = 0; j < dim1; j++)
                for (int k = 0; k < dim0; k++)
                    meta_for (int v = 0; v < B0; v++)
                        meta_for (int u = 0; u < ub1; u++) {
                            int p = i * B0 + v;
                            int q = j * ub1 * s + u;
                            for (int z = 0; z < B0; z++) {
                                int r = k * B0 + z;
                                for (int w = 0; w < s; w++) {
                                    int x = w * ub1;
                                    if (p < n && q + x < n && r < n)
                                        c[p][q + x] += a[p][r] * b[r][q + x];
                                }
                            }
                        }
    }
}
