#include "clock.h"
typedef unsigned char u8;
void rgb2gray(const u8 *rgb, u8 *gray, int width, int height)
{
    int x, y;
    for (y = 0; y < height; y++) {
        const u8 *p = rgb + y * width * 3;
        u8 *q = gray + y * width;
        for (x = 0; x < width; x++) {
            int r = *p++, g = *p++, b = *p++;
            *q++ = (r * 77 + g * 150 + b * 29) >> 8;
        }
    }
}
int main(void)
{
    int w = 1920, h = 1080;
    u8 *a = malloc(w * h * 3), *b = malloc(w * h);
    for (int i = 0; i < w * h * 3; i++) a[i] = i * 31 >> 3;
    for (int r = 0; r < 7; r++) { begin(); rgb2gray(a, b, w, h); end(); }
    printf("%llx\n", checksum(b, w * h));
    report();
}
