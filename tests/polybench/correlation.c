/* The correlation matrix of m variables from n observations: means, deviations, reduced data, then both halves from the
   upper one. A deviation that is nearly zero counts as one. */
#include <math.h>
#include <metafork.h>

void correlation(int m, int n, double data[n][m], double corr[m][m], int B0, int B1)
{
    double mean[m], deviation[m];
    meta_schedule {
        meta_for (int b = 0; b < (m + B1 - 1) / B1; b++)
            meta_for (int t = 0; t < B1; t++) {
                int j = b * B1 + t;
                if (j < m) {
                    double sum = 0;
                    for (int i = 0; i < n; i++)
                        sum += data[i][j];
                    mean[j] = sum / n;
                    double squares = 0;
                    for (int i = 0; i < n; i++)
                        squares += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
                    squares = sqrt(squares / n);
                    deviation[j] = squares <= 0.1 ? 1.0 : squares;
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
                            data[i][j] = (data[i][j] - mean[j]) / (sqrt((double)n) * deviation[j]);
                    }
    }
    meta_schedule {
        meta_for (int bi = 0; bi < (m + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (m + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < m && j < m) {
                            if (i == j)
                                corr[i][j] = 1;
                            if (i < j) {
                                double sum = 0;
                                for (int k = 0; k < n; k++)
                                    sum += data[k][i] * data[k][j];
                                corr[i][j] = sum;
                                corr[j][i] = sum;
                            }
                        }
                    }
    }
}
