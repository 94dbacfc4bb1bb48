#include <metafork.h>

/* More of the array with every round; `t` is read by the kernel alone, `k` decides its extent, `mode` is given. */
void grows(int n, int rounds, int mode, int B, int a[n])
{
    for (int t = 0; t < rounds; t++)
        for (int k = 1; k <= n; k++) {
            int dim = (k + B - 1) / B;
            meta_schedule {
                meta_for (int i = 0; i < dim; i++)
                    meta_for (int j = 0; j < B; j++) {
                        int p = i * B + j;
                        if (p < k)
                            a[p] = a[p] * 3 + t * 7 + mode;
                    }
            }
        }
}
