#include "clock.h"
#include <string.h>
static unsigned char img[1 << 21], outp[1 << 21];
void equalize(const unsigned char *im, unsigned char *o, int n)
{
    int hist[256], cdf[256], lut[256], i, acc = 0, min = 0;
    memset(hist, 0, sizeof(hist));
    for (i = 0; i < n; i++) hist[im[i]]++;
    for (i = 0; i < 256; i++) { acc += hist[i]; cdf[i] = acc; }
    for (i = 0; i < 256; i++) if (cdf[i]) { min = cdf[i]; break; }
    for (i = 0; i < 256; i++) lut[i] = n > min ? (int)((double)(cdf[i] - min) / (n - min) * 255 + .5) : 0;
    for (i = 0; i < n; i++) o[i] = (unsigned char)lut[im[i]];
}
int main(void)
{
    for (int i = 0; i < 1 << 21; i++) img[i] = (unsigned char)(i * 2654435761u >> 25);
    for (int r = 0; r < 7; r++) { begin(); equalize(img, outp, 1 << 21); end(); }
    printf("%llx\n", checksum(outp, sizeof outp));
    report();
}
