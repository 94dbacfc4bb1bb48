#include "clock.h"
#include <stdint.h>
typedef struct pixel { uint8_t r, g, b, a; } pixel_t;
void composite(pixel_t *dst, const pixel_t *top, int count)
{
    while (count-- > 0) {
        int a = top->a, ia = 255 - a;
        dst->r = (top->r * a + dst->r * ia) / 255;
        dst->g = (top->g * a + dst->g * ia) / 255;
        dst->b = (top->b * a + dst->b * ia) / 255;
        dst->a = 255;
        dst++; top++;
    }
}
int main(void)
{
    int n = 1500000;
    pixel_t *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) { x[i] = (pixel_t){i, i >> 3, i >> 5, 255}; y[i] = (pixel_t){i >> 2, i, i >> 7, i * 3}; }
    for (int r = 0; r < 7; r++) { begin(); composite(x, y, n); end(); }
    printf("%llx\n", checksum(x, n * sizeof *x));
    report();
}
