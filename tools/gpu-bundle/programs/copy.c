#include <metafork.h>

/* A copy, beside which bandwidth is measured: each thread copies s elements that lie B apart. */
void copy(int n, int s, int B, const float x[restrict n], float y[restrict n])
{
    int dim = (n + s * B - 1) / (s * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n)
                        y[p] = x[p];
                }
    }
}
