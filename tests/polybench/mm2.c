/* 2mm: D = alpha A B C + beta D, by way of tmp = alpha A B. A thread computes a coefficient in a plain loop. */
#include <metafork.h>

void mm2(int ni, int nj, int nk, int nl, double alpha, double beta, double tmp[ni][nj],
         const double A[ni][nk], const double B[nk][nj], const double C[nj][nl], double D[ni][nl])
{
    const int B0 = meta_tunable(4), B1 = meta_tunable(64);
    meta_schedule {
        meta_for (int bi = 0; bi < (ni + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (nj + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < ni && j < nj) {
                            double sum = 0;
                            for (int k = 0; k < nk; k++)
                                sum += alpha * A[i][k] * B[k][j];
                            tmp[i][j] = sum;
                        }
                    }
    }
    meta_schedule {
        meta_for (int bi = 0; bi < (ni + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (nl + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < ni && j < nl) {
                            double sum = beta * D[i][j];
                            for (int k = 0; k < nj; k++)
                                sum += tmp[i][k] * C[k][j];
                            D[i][j] = sum;
                        }
                    }
    }
}
