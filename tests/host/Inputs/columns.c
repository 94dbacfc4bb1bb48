#include <metafork.h>

/* A matrix is transposed and transposed back: each part reads columns of what the parts of the
   launch before have written by rows. */
void columns(int n, int B, int a[n][n], int b[n][n])
{
    int dim = (n + B - 1) / B;
    for (int t = 0; t < 2; t++) {
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int u = 0; u < B; u++)
                    for (int j = 0; j < n; j++)
                        if (i * B + u < n)
                            b[i * B + u][j] = a[j][i * B + u];
        }
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int u = 0; u < B; u++)
                    for (int j = 0; j < n; j++)
                        if (i * B + u < n)
                            a[i * B + u][j] = b[j][i * B + u] + j;
        }
    }
}
