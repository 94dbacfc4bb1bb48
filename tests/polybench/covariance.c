/* The covariance matrix of m variables from n observations: means, centred data, then both halves from the upper one. */
#include <metafork.h>

void covariance(int m, int n, double data[n][m], double cov[m][m], int B0, int B1)
{
    double mean[m];
    meta_schedule {
        meta_for (int b = 0; b < (m + B1 - 1) / B1; b++)
            meta_for (int t = 0; t < B1; t++) {
                int j = b * B1 + t;
                if (j < m) {
                    mean[j] = 0;
                    for (int i = 0; i < n; i++)
                        mean[j] += data[i][j];
                    mean[j] /= n;
                }
            }
    }
    meta_schedule {
        meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (m + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < n && j < m)
                            data[i][j] -= mean[j];
                    }
    }
    meta_schedule {
        meta_for (int bi = 0; bi < (m + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (m + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (j < m && i <= j) {
                            double sum = 0;
                            for (int k = 0; k < n; k++)
                                sum += data[k][i] * data[k][j];
                            cov[i][j] = sum / (n - 1.0);
                            cov[j][i] = cov[i][j];
                        }
                    }
    }
}
