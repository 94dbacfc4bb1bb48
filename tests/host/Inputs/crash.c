/* Ends badly before its region: B = 0 divides by zero, B = 1 does not end. */
#include <metafork.h>
void half(int n, int B, float *a, float *b)
{
    float *c = a + n;
    volatile int rest = n / B;
    while (B == 1)
        rest++;
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < n)
                    b[i * B + j] = c[i * B + j];
    }
}
