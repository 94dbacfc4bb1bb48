#include <math.h>

void distances(int n, int m, int d, const double *restrict a, const double *restrict b, double *restrict out)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            double s = 0.0;
            for (int k = 0; k < d; k++)
                s += (a[i * d + k] - b[j * d + k]) * (a[i * d + k] - b[j * d + k]);
            out[i * m + j] = sqrt(s);
        }
    }
}
