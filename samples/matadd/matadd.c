#include <metafork.h>

/* Sum of two matrices (Figure 1); each thread adds one element in the left and one in the right half of a row. */
void matadd(int N, int B0, int B1, int a[N][N], int b[N][N], int c[N][N])
{
    int dim0 = N / B0, dim1 = N / (2 * B1);
    meta_schedule {
        meta_for (int v = 0; v < dim0; v++)
            meta_for (int p = 0; p < dim1; p++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int q = 0; q < B1; q++)
                        for (int k = 0; k < 2; ++k) {
                            int i = v * B0 + u;
                            int j = p * B1 + q;
                            if (i < N && j < N / 2)
                                c[i][j + k * (N / 2)] = a[i][j + k * (N / 2)] + b[i][j + k * (N / 2)];
                        }
    }
}
