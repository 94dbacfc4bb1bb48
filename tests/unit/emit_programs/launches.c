/* Regions whose leaves a test launches twice (cli_launches.c): `mix` then computes what the plain
   program computes with TIMES = 2, and `twice`, which writes the same each time, what it computes
   with any TIMES. */
#include <stdio.h>
#include <metafork.h>
#ifndef TIMES
#define TIMES 1
#endif
enum { CELLS = 1026, OWN = 2, BLOCK = 64 };

void mix(int N, int s, int B, const int x[restrict N], int y[restrict N])
{
    int dim = (N - 2) / (s * B);
    for (int t = 0; t < TIMES; t++)
        meta_schedule cache(x) {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++)
                    for (int k = 0; k < s; ++k) {
                        int p = i * s * B + k * B + j;
                        y[p + 1] = 3 * y[p + 1] + x[p] + x[p + 1] + x[p + 2];
                    }
        }
}

void twice(int N, int B, const int x[restrict N], int z[restrict N])
{
    int dim = N / B;
    for (int t = 0; t < TIMES; t++)
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++)
                    z[i * B + j] = 2 * x[i * B + j];
        }
}

int main(void)
{
    static int x[CELLS], y[CELLS], z[CELLS];
    for (int i = 0; i < CELLS; i++) {
        x[i] = i * i % 101;
        y[i] = i % 7;
    }
    mix(CELLS, OWN, BLOCK, x, y);
    twice(CELLS, BLOCK, x, z);
    for (int i = 0; i < CELLS; i++)
        printf("%d %d\n", y[i], z[i]);
    return 0;
}
