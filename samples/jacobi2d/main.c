/* Ten means of five on a plate that is as warm everywhere: it stays so, but for what float rounds. */
#include "jacobi2d.tf.h"
#include "../report.h"
#include <stdlib.h>

#include <math.h>

enum { N = 1000, T = 10 };

int main(void)
{
    float (*u)[N][N] = malloc(2 * sizeof *u);
    if (!u)
        return report_memory();
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            u[0][y][x] = u[1][y][x] = 1;
    int status = jacobi2d_auto(T, N, u);
    long wrong = 0;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            wrong += fabsf(u[T % 2][y][x] - 1) > 1e-5f;
    free(u);
    return report("means on an even plate", status, wrong, (long)N * N);
}
