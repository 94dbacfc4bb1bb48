// Products that are added to something: in a region, in a static function of the host, in main. Prints all bits that
// come out of them.
#include <metafork.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 1000, B = 128 };

static void step(int n, double x[n], const double y[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    for (int k = 0; k < 20; k++)
                        x[p] = x[p] * y[p] + 0.1 * k;
            }
    }
}

static void smooth(int n, double *restrict y, const double *restrict x)
{
    for (int i = 1; i < n; i++)
        y[i] = 0.3 * y[i - 1] + 0.1 * x[i];
}

static uint64_t fold(uint64_t sum, const double *x)
{
    for (int i = 0; i < N; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        sum = sum * 31 + bits;
    }
    return sum;
}

int main(void)
{
    static double x[N], y[N];
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) {
        x[i] = i / 3.0;
        y[i] = x[i] * x[i] + 1 / (i + 7.0);
        y[i] = 1 / y[i];
    }
    sum = fold(sum, y);
    for (int t = 0; t < 3; t++) {
        step(N, x, y);
        sum = fold(sum, x);
        smooth(N, y, x);
        sum = fold(sum, y);
    }
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
