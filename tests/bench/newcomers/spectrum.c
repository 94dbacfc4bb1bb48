#include <math.h>
#include "clock.h"
#define WIN 256
#define HOP 128
#define FRAMES 400
double sig[FRAMES * HOP + WIN], cs[WIN], sn[WIN], mag[FRAMES][WIN / 2];
void spectrogram(void)
{
    int f, k, t;
    double re, im;
    for (f = 0; f < FRAMES; f++)
        for (k = 0; k < WIN / 2; k++) {
            re = im = 0;
            for (t = 0; t < WIN; t++) {
                re += sig[f * HOP + t] * cs[(k * t) % WIN];
                im -= sig[f * HOP + t] * sn[(k * t) % WIN];
            }
            mag[f][k] = sqrt(re * re + im * im);
        }
}
int main(void)
{
    for (int i = 0; i < WIN; i++) { cs[i] = cos(2 * 3.14159265358979 * i / WIN); sn[i] = sin(2 * 3.14159265358979 * i / WIN); }
    for (int i = 0; i < FRAMES * HOP + WIN; i++) sig[i] = (i * 13 % 101) / 50. - 1;
    for (int r = 0; r < 5; r++) { begin(); spectrogram(); end(); }
    printf("%llx\n", checksum(mag, sizeof mag));
    report();
}
