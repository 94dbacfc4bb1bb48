// Kernels whose good launches are known by argument (order.test).
#include <metafork.h>
void rows(int m, int n, int B, const float *restrict a, const float *restrict x, float *restrict y)
{
    int dim = (m + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < m)
                    for (int k = 0; k < n; k++)
                        y[p] += a[p * n + k] * x[k];
            }
    }
}

void columns(int m, int n, int B, const float *restrict a, const float *restrict x, float *restrict y)
{
    int dim = (m + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < m)
                    for (int k = 0; k < n; k++)
                        y[p] += a[k * m + p] * x[k];
            }
    }
}

void stencil(int n, int B0, int B1, const float *restrict a, float *restrict b)
{
    int dim0 = (n + B0 - 3) / B0, dim1 = (n + B1 - 3) / B1;
    meta_schedule {
        meta_for (int v0 = 0; v0 < dim0; v0++)
            meta_for (int v1 = 0; v1 < dim1; v1++)
                meta_for (int u0 = 0; u0 < B0; u0++)
                    meta_for (int u1 = 0; u1 < B1; u1++) {
                        int i = v0 * B0 + u0 + 1, j = v1 * B1 + u1 + 1;
                        if (i < n - 1 && j < n - 1)
                            b[i * n + j] = a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] +
                                           a[(i - 1) * n + j] + a[(i + 1) * n + j];
                    }
    }
}
