#include <metafork.h>

/* Two-dimensional Jacobi iteration, 2+2 bands, a halo in both dimensions; the two planes of u are read and written by
   turns. Ceilings and guards: every inner cell is computed, whatever the block. */
void jacobi2d(int T, int N, int s, int B0, int B1, float u[2][N][N])
{
    int dim0 = (N - 2 + B0 - 1) / B0, dim1 = (N - 2 + s * B1 - 1) / (s * B1);
    for (int t = 0; t < T; t++)
        meta_schedule cache(u) {
            meta_for (int i = 0; i < dim0; i++)
                meta_for (int j = 0; j < dim1; j++)
                    meta_for (int v = 0; v < B0; v++)
                        meta_for (int w = 0; w < B1; w++)
                            for (int k = 0; k < s; k++) {
                                int y = i * B0 + v + 1;
                                int x = (j * s + k) * B1 + w + 1;
                                if (y < N - 1 && x < N - 1) {
                                    if (t % 2)
                                        u[0][y][x] = 0.2f * (u[1][y][x] + u[1][y][x - 1] + u[1][y][x + 1] +
                                                             u[1][y - 1][x] + u[1][y + 1][x]);
                                    else
                                        u[1][y][x] = 0.2f * (u[0][y][x] + u[0][y][x - 1] + u[0][y][x + 1] +
                                                             u[0][y - 1][x] + u[0][y + 1][x]);
                                }
                            }
        }
}
