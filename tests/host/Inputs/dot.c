/* A sum of floats beside a map: two launches, with a partial array between them. */
#include <metafork.h>

void dot(int n, float *z, const float *x, const float *y, float s[1])
{
    const int B0 = meta_tunable(64);
    meta_schedule meta_reduce(+, s) {
        meta_for (int b = 0; b < (n + B0 - 1) / B0; b++)
            meta_for (int t = 0; t < B0; t++) {
                int i = b * B0 + t;
                if (i < n) {
                    z[i] += x[i];
                    s[0] += x[i] * y[i];
                }
            }
    }
}
