/* Ways around a ring of one-way roads of length 1. */
#include "plain_floyd.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 300, NO_ROAD = 1000000 };

int main(void)
{
    int (*way)[N] = malloc(N * sizeof *way);
    if (!way)
        return report_memory();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            way[i][j] = i == j ? 0 : j == (i + 1) % N ? 1 : NO_ROAD;
    floyd(N, way);
    long wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            wrong += way[i][j] != (j - i + N) % N;
    free(way);
    return report("ways around a ring", 0, wrong, (long)N * N);
}
