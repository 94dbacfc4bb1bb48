#include <stdint.h>

void histogram(int64_t n, const uint8_t *x, int64_t count[256])
{
    for (int b = 0; b < 256; b++)
        count[b] = 0;
    for (int64_t i = 0; i < n; i++)
        count[x[i]]++;
}
