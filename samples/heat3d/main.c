/* A step of the heat equation on a cube whose temperature grows evenly along an axis: it stays as it is. */
#include "heat3d.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 130 };

int main(void)
{
    double (*a)[N][N] = malloc(N * sizeof *a), (*b)[N][N] = malloc(N * sizeof *b);
    if (!a || !b)
        return report_memory();
    for (int z = 0; z < N; z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                b[z][y][x] = a[z][y][x] = z;
    int status = heat3d_auto(N, 0.125, a, b);
    long wrong = 0;
    for (int z = 0; z < N; z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                wrong += b[z][y][x] != z;
    free(a);
    free(b);
    return report("an even slope of heat", status, wrong, (long)N * N * N);
}
