/* A product of matrices and a Jacobi step for any size: ceilings and guards. */
#include <assert.h>
#include <metafork.h>

void product(int n, int s, int B0, int B1, const float a[n][n], const float b[n][n], float c[restrict n][n])
{
    assert(B0 <= B1 * s);
    meta_schedule cache(a, b) {
        meta_for (int i = 0; i < (n + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (n + B1 * s - 1) / (B1 * s); j++)
                for (int k = 0; k < (n + B0 - 1) / B0; k++)
                    meta_for (int v = 0; v < B0; v++)
                        meta_for (int u = 0; u < B1; u++)
                            for (int z = 0; z < B0; z++)
                                for (int w = 0; w < s; w++) {
                                    int p = i * B0 + v, q = (j * s + w) * B1 + u;
                                    if (p < n && q < n && k * B0 + z < n)
                                        c[p][q] += a[p][k * B0 + z] * b[k * B0 + z][q];
                                }
    }
}

void smooth(int n, int s, int B, const int from[n], int to[restrict n])
{
    meta_schedule cache(from) {
        meta_for (int i = 0; i < (n - 2 + s * B - 1) / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n - 2)
                        to[p + 1] = (from[p] + from[p + 1] + from[p + 2]) / 3;
                }
    }
}
