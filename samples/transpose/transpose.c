#include <metafork.h>

/* Matrix transposition (Figure 8, with its store corrected): c is the transposed a. */
void transpose(int N, int s, int B0, int B1, int a[N][N], int c[N * N])
{
    int dim0 = N / B0, dim1 = N / (s * B1);
    meta_schedule cache(a, c) {
        meta_for (int v0 = 0; v0 < dim0; v0++)
            meta_for (int v1 = 0; v1 < dim1; v1++)
                meta_for (int u0 = 0; u0 < B0; u0++)
                    meta_for (int u1 = 0; u1 < B1; u1++)
                        for (int k = 0; k < s; ++k) {
                            int i = v0 * B0 + u0;
                            int j = (v1 * s + k) * B1 + u1;
                            c[j * N + i] = a[i][j];
                        }
    }
}
