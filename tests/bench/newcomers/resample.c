#include "clock.h"
/* linear interpolation to another rate */
static void resample(const float *x, int nx, float *y, int ny, double ratio)
{
    for (int i = 0; i < ny; i++) {
        double pos = i * ratio;
        int k = (int)pos;
        float f = (float)(pos - k);
        if (k + 1 < nx)
            y[i] = x[k] * (1.0f - f) + x[k + 1] * f;
        else
            y[i] = x[nx - 1];
    }
}
int main(int argc, char **argv)
{
    int nx = argc > 1 ? atoi(argv[1]) : 1000000, ny = (int)(nx * 1.0884);
    float *x = malloc(nx * sizeof *x), *y = malloc(ny * sizeof *y);
    if (!x || !y) return 1;
    for (int i = 0; i < nx; i++) x[i] = (float)(i * 31 % 997);
    for (int r = 0; r < 7; r++) { begin(); resample(x, nx, y, ny, 1 / 1.0884); end(); }
    printf("%llx\n", checksum(y, ny * sizeof *y));
    report();
    free(x); free(y);
}
