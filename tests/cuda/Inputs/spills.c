/* A product of rectangles: its leaves for few registers spill within their budgets. Runs it once,
   with blocks of 64 threads. */
#include <metafork.h>
#include <stdio.h>

enum { SIDE = 8, M = 16, DEPTH = 32, WIDTH = 24 };

static void rectangles(int m, int n, int l, int s, int B0, int ub1, const float a[restrict m][l],
                       const float b[restrict l][n], float c[restrict m][n])
{
    int dim0 = (m + B0 - 1) / B0, dim1 = (n + ub1 * s - 1) / (ub1 * s), depth = (l + B0 - 1) / B0;
    meta_schedule cache(a, b) {
        meta_for (int i = 0; i < dim0; i++)
            meta_for (int j = 0; j < dim1; j++)
                for (int k = 0; k < depth; k++)
                    meta_for (int v = 0; v < B0; v++)
                        meta_for (int u = 0; u < ub1; u++) {
                            int p = i * B0 + v, q = j * ub1 * s + u;
                            for (int z = 0; z < B0; z++)
                                for (int w = 0; w < s; w++)
                                    if (p < m && q + w * ub1 < n && k * B0 + z < l)
                                        c[p][q + w * ub1] +=
                                            a[p][k * B0 + z] * b[k * B0 + z][q + w * ub1];
                        }
    }
}

int main(void)
{
    static float a[M][DEPTH], b[DEPTH][WIDTH], c[M][WIDTH];
    for (int i = 0; i < DEPTH; i++)
        a[1][i] = b[i][1] = 1;
    rectangles(M, WIDTH, DEPTH, 1, SIDE, SIDE, a, b, c);
    printf("%g\n", c[1][1]);
    return 0;
}
