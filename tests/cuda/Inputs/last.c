/* A sum in each round of a loop of the host: launches that follow each other. */
#include <metafork.h>

void rounds(int n, int T, const float *x, float *restrict y, float s[1])
{
    const int B = meta_tunable(64);
    for (int t = 0; t < T; t++) {
        meta_schedule meta_reduce(+, s) {
            meta_for (int b = 0; b < (n + B - 1) / B; b++)
                meta_for (int u = 0; u < B; u++) {
                    int i = b * B + u;
                    if (i < n) {
                        y[i] = y[i] * 0.5f + x[i];
                        s[0] += x[i] * y[i];
                    }
                }
        }
    }
}
