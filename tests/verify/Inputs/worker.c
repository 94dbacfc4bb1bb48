/* plain prints; counts gives another result at each call in one process. */
#include <metafork.h>
#include <stdio.h>

void plain(int n, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < n)
                    a[i * B + j] = 2 * a[i * B + j] + 1;
    }
    printf("%d elements\n", n);
}

void counts(int n, int B, float *a)
{
    static int calls;
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < n)
                    a[i * B + j] = 2 * a[i * B + j] + 1;
    }
    a[0] += calls++;
}
