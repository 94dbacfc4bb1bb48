#include <metafork.h>
/* A size at file scope, which is 0 until somebody sets it, and a loop that begins at 5000. */
unsigned long size;
double a[1000], b[1000];

void scaled(void)
{
    const int B = meta_tunable(64);
    if (size > 0) meta_schedule {
        meta_for (long i = 0; i < (size + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < size)
                    a[i * B + j] = 2 * b[i * B + j];
    }
}

void late(int m, double *restrict x)
{
    const int B = meta_tunable(64);
    if (m > 5000) meta_schedule {
        meta_for (int i = 0; i < (m - 5000 + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < m - 5000)
                    x[i * B + j] += 1;
    }
}
