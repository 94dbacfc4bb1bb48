#include <metafork.h>

/* A histogram, and its greatest element: blocks add up in the same elements. */
void counts(int n, int B, unsigned count[16], int most[1], const int *x)
{
    meta_schedule meta_reduce(+, count) meta_reduce(max, most) {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int u = 0; u < B; u++)
                if (i * B + u < n) {
                    count[x[i * B + u] & 15]++;
                    if (x[i * B + u] > most[0])
                        most[0] = x[i * B + u];
                }
    }
}
