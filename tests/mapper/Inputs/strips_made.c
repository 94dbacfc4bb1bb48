// A block makes eight columns of B, sums them, and uses the sums along rows.
#include "metafork.h"
void made(int m, int n, float a, float b, float A[restrict m][n], float B[restrict m][n], float u1[restrict m], float v1[restrict n], float u2[restrict m], float v2[restrict n], float x[restrict n], float y[restrict m], float z[restrict n], float w[restrict m])
{
    const int B0 = meta_tunable(32);
    if (n > 0) meta_schedule meta_reduce(+, x, w) {
        meta_for (int bj = 0; bj < n; bj += 8) {
            for (int i0 = 0; i0 < m; i0 += B0)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < 8; tj++) {
                        int i = i0 + ti;
                        int j = bj + tj;
                        if (i < m && j < n) B[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
                    }
            meta_for (int ti = 0; ti < B0; ti++)
                meta_for (int tj = 0; tj < 8; tj++) {
                    int j = bj + tj;
                    if (ti == 0 && j < n) x[j] = z[j];
                }
            for (int i0 = 0; i0 < m; i0 += B0)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < 8; tj++) {
                        int i = i0 + ti;
                        int j = bj + tj;
                        if (i < m && j < n) x[j] += b * B[i][j] * y[i];
                    }
            for (int i0 = 0; i0 < m; i0 += B0 * 8)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < 8; tj++) {
                        int i = i0 + ti * 8 + tj;
                        for (int c = 0; c < 8; c++) {
                            int j = bj + c;
                            if (i < m && j < n)
                                w[i] += a * B[i][j] * x[j];
                        }
                    }
        }
    }
}
