#include <metafork.h>

/* Lengths from 2: what the host loop says of `length` is asked before the case tree. */
void lengths(int n, float a[n])
{
    const int B = meta_tunable(64);
    for (int length = 2; length <= n; length++)
        meta_schedule {
            meta_for (int g = 0; g < (length + B - 1) / B; g++)
                meta_for (int t = 0; t < B; t++)
                    if (g * B + t < length)
                        a[g * B + t] *= 2;
        }
}
