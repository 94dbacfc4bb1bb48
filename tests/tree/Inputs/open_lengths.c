/* Arrays without a declared length. */
#include <metafork.h>
void scale(int n, int B, float *x, const float *y)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < n)
                    x[i * B + j] = 2 * y[i * B + j];
    }
}
void lines(int n, int m, int B, float (*restrict u)[m], const float (*v)[m])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < m; k++)
                    u[i * B + j][k] = v[i * B + j][k] + 1;
    }
}
