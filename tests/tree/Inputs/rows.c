/* A row-wise matrix-vector product without pieces by hand. */
#include <metafork.h>

void rows(int m, int n, int B, const float A[restrict m][n], const float x[restrict n], float y[restrict m])
{
    int dim = (m + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++) {
                int row = i * B + j;
                if (row < m) {
                    float sum = 0.0f;
                    for (int k = 0; k < n; k++)
                        sum += A[row][k] * x[k];
                    y[row] = sum;
                }
            }
    }
}
