#include <metafork.h>

/* A convolution of 5 x 5 taps. */
void conv2d(int n, int B0, int B1, const float a[restrict n + 4][n + 4], const float w[restrict 5][5], float b[restrict n][n])
{
    int d0 = n / B0, d1 = n / B1;
    meta_schedule cache(a) {
        meta_for (int v0 = 0; v0 < d0; v0++)
            meta_for (int v1 = 0; v1 < d1; v1++)
                meta_for (int u0 = 0; u0 < B0; u0++)
                    meta_for (int u1 = 0; u1 < B1; u1++) {
                        int i = v0 * B0 + u0, j = v1 * B1 + u1;
                        float sum = 0;
                        for (int p = 0; p < 5; p++)
                            for (int q = 0; q < 5; q++)
                                sum += w[p][q] * a[i + p][j + q];
                        b[i][j] = sum;
                    }
    }
}
