#include <metafork.h>

/* The name of another file's function, with more parameters, and much more to do. */
static void scale(int n, int k, int l, int m, int q, int r, int s, int t, int B, int a[n])
{
    int dim = (n + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int v = 0; v < B; v++) {
                int p = i * B + v;
                if (p < n)
                    for (int x = 0; x < k + l + m + q + r + s + t; x++)
                        a[p] = 3 * a[p] + 1;
            }
    }
}

void long_run(int n, int *a)
{
    scale(n, 3000, 50, 50, 50, 50, 50, 50, 64, a);
}
