#include "judge.h"
#include <stdio.h>
#include <string.h>

void pairs_source(int n, double d[restrict][8], double *restrict b);
void shift_source(int n, int m, double *restrict a, double *restrict b, double c[restrict][8]);
void wave_source(int n, int m, double c[restrict][8], double *restrict b);
void alone_source(int n, int m, double *restrict a);

struct memory {
    double a[64], b[32], c[80][8], d[32][8], e[32];
};

int main(void)
{
    static struct memory source, mapped;
    int wrong = 0;
    for (int n = 0; n < 32; n += 5)
        for (int m = 1; m < 32; m += 6) {
            for (size_t i = 0; i < sizeof source / sizeof(double); i++)
                ((double *)&source)[i] = ((double *)&mapped)[i] = (double)(i % 37);
            pairs_source(n, source.d, source.e);
            pairs(n, mapped.d, mapped.e);
            shift_source(n, m, source.a, source.b, source.c);
            shift(n, m, mapped.a, mapped.b, mapped.c);
            wave_source(n, m, source.c, source.b);
            wave(n, m, mapped.c, mapped.b);
            alone_source(n, m, source.a);
            alone(n, m, mapped.a);
            wrong += memcmp(&source, &mapped, sizeof source) != 0;
        }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
