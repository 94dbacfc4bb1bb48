#include <math.h>
#include "clock.h"
enum { BANDS = 8, TAPS = 64, SAMPLES = 100000 };
static float signal_[SAMPLES + TAPS], coeff[BANDS][TAPS], bands[BANDS][SAMPLES];
void filterbank(float y[BANDS][SAMPLES], float h[BANDS][TAPS], const float *x)
{
    int b, n, k;
    for (b = 0; b < BANDS; b++) {
        for (n = 0; n < SAMPLES; n++) {
            float acc = 0;
            for (k = 0; k < TAPS; k++) acc += h[b][k] * x[n + TAPS - 1 - k];
            y[b][n] = acc;
        }
    }
}
int main(void)
{
    for (int i = 0; i < SAMPLES + TAPS; i++) signal_[i] = (float)(i * 37 % 1000) / 500.f - 1.f;
    for (int b = 0; b < BANDS; b++) for (int k = 0; k < TAPS; k++) coeff[b][k] = cosf(0.1f * b * k) / TAPS;
    for (int r = 0; r < 7; r++) { begin(); filterbank(bands, coeff, signal_); end(); }
    printf("%llx\n", checksum(bands, sizeof bands));
    report();
}
