/* Means of five on a plate that is as warm everywhere: it stays so. */
#include "plain_jacobi2d.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 800, STEPS = 10 };

int main(void)
{
    double (*now)[N] = malloc(N * sizeof *now), (*next)[N] = malloc(N * sizeof *next);
    if (!now || !next)
        return report_memory();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            now[i][j] = next[i][j] = 7;
    jacobi2d(STEPS, N, now, next);
    long wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            wrong += now[i][j] != 7;
    free(now);
    free(next);
    return report("means on an even plate", 0, wrong, (long)N * N);
}
