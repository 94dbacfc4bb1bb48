/* One of two elements, the same for all threads. */
#include <metafork.h>

void picked(int n, int B, const float a[64], float b[n])
{
    int blocks = n / B;
    meta_schedule {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++)
                b[i * B + j] = a[n > 5 ? 0 : 40];
    }
}
