#include <stdint.h>

/* Luminance of pixels, by integers. */
void gray(int n, const uint8_t (*rgb)[3], uint8_t *y)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = (uint8_t)((77 * rgb[i][0] + 150 * rgb[i][1] + 29 * rgb[i][2]) >> 8);
}
