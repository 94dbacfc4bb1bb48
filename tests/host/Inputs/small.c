#include <metafork.h>

/* In each round a few cells by one region, host code, every eighth time all cells by another one.
   `t` differs from run to run. */
void small(int n, int m, int rounds, int B, int a[m], int b[m])
{
    int few = (n + B - 1) / B, all = (m + B - 1) / B;
    for (int t = 0; t < rounds; t++) {
        if (n <= m)
            meta_schedule {
                meta_for (int i = 0; i < few; i++)
                    meta_for (int j = 0; j < B; j++) {
                        int p = i * B + j;
                        if (p < n)
                            a[p] = a[p] * 3 + b[p] + t;
                    }
            }
        a[0] += t % 5;
        if (t % 8 == 7)
            meta_schedule {
                meta_for (int i = 0; i < all; i++)
                    meta_for (int j = 0; j < B; j++) {
                        int p = i * B + j;
                        if (p < m)
                            b[p] = b[p] + a[p] % 7;
                    }
            }
    }
}
