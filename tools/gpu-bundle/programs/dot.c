/* A dot product: blocks have parts of one sum, which a second launch or the last block finishes. */
#include <metafork.h>

void dot(int n, const float x[n], const float y[n], double s[1])
{
    const int B = meta_tunable(256);
    meta_schedule meta_reduce(+, s) {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++) {
                int i = b * B + t;
                if (i < n)
                    s[0] += (double)x[i] * y[i];
            }
    }
}
