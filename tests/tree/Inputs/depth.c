#include <metafork.h>

/* A product; -D says of what. */
void product(int n, const ELEMENT a[n][n], const ELEMENT b[n][n], ELEMENT c[n][n])
{
    const int B0 = meta_tunable(16), B1 = meta_tunable(16);
    meta_schedule {
        meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (n + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < n && j < n) {
                            ELEMENT sum = 0;
                            for (int k = 0; k < n; k++)
                                sum += a[i][k] * b[k][j];
                            c[i][j] = sum;
                        }
                    }
    }
}
