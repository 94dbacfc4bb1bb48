/* Floating sums in another order than C's, with maps and integers beside them. */
#include <metafork.h>
float order_dot(int n, const float *x, const float *y, float *z, int *positive)
{
    const int B = meta_tunable(32);
    float s = 0.25f;
    int count = 0;
    meta_schedule meta_reduce(+, s, count) {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++) {
                int i = b * B + t;
                if (i < n) {
                    z[i] = x[i] - 0.5f;
                    s += x[i] * y[i];
                    count += z[i] > 0;
                }
            }
    }
    *positive = count;
    return s;
}
double order_columns(int m, int n, const double *a, double *sums, double most)
{
    double product = 1;
    meta_schedule meta_reduce(+, sums) meta_reduce(*, product) meta_reduce(max, most) {
        meta_for (int i = 0; i < (m + 7) / 8; i++)
            meta_for (int j = 0; j < (n + 15) / 16; j++)
                meta_for (int s = 0; s < 8; s++)
                    meta_for (int t = 0; t < 16; t++) {
                        int p = i * 8 + s, q = j * 16 + t;
                        if (p < m && q < n) {
                            sums[q] += a[p * n + q];
                            product *= 1 + a[p * n + q] / 1000;
                            if (a[p * n + q] > most)
                                most = a[p * n + q];
                        }
                    }
    }
    return product + most;
}
