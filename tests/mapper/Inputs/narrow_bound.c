/* Bounds of 32 bits, counters of 64: blocks up to 2^32 - 1 would be none. */
#include <stddef.h>

void flip(unsigned char *d, unsigned n, int k)
{
    for (size_t i = 0; i < n; i++)
        d[i] ^= k;
}

void product(float *a, unsigned w, unsigned h)
{
    for (size_t i = 0; i < w * h; i++)
        a[i] *= 2;
}

void below(float *a, unsigned n)
{
    for (long i = 0; i < n; i++)
        a[i] *= 2;
}
