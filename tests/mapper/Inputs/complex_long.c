/* Complex numbers of long double, which no device has: loops over them stay as they are. */
#include <complex.h>
#include <stdio.h>

static long double complex roots[64];
static double complex values[2048];

int main(void)
{
    for (int i = 0; i < 64; i++)
        roots[i] = i + 2.0L * i * I;
    long double complex product = 1.0L;
    for (int i = 1; i < 8; i++)
        product *= roots[i] - roots[i - 1];
    for (int i = 0; i < 8; i++) {
        long double complex part = roots[i] * product + conjl(roots[i]);
        roots[i] -= part / (roots[i] + 1.0L);
    }
    for (int i = 0; i < 2048; i++)
        values[i] = values[i] * I + i;
    printf("%.6Lg %.6Lg %g\n", creall(roots[3]), cimagl(product), creal(values[9]));
    return 0;
}
