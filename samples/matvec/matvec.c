#include <metafork.h>

/* y = A x: one row per thread, a serial loop over the columns inside the block band, x staged piece by piece. */
void matvec(int m, int n, int B, int h, const float A[restrict m][n], const float x[restrict n], float y[restrict m])
{
    int dim = (m + B - 1) / B;
    meta_schedule cache(x) {
        meta_for (int i = 0; i < dim; i++)
            for (int k = 0; k < n / h; k++)
                meta_for (int j = 0; j < B; j++) {
                    int row = i * B + j;
                    if (row < m) {
                        float sum = k == 0 ? 0.0f : y[row];
                        for (int z = 0; z < h; z++)
                            sum += A[row][k * h + z] * x[k * h + z];
                        y[row] = sum;
                    }
                }
    }
}
