#include <metafork.h>

/* One step of the heat equation in three dimensions, 3+3 bands: b from a with the seven-point stencil. */
void heat3d(int N, int s, int B0, int B1, int B2, double r, double a[restrict N][N][N], double b[restrict N][N][N])
{
    int dim0 = (N - 2) / (s * B0), dim1 = (N - 2) / B1, dim2 = (N - 2) / B2;
    meta_schedule cache(a) {
        meta_for (int i = 0; i < dim0; i++)
            meta_for (int j = 0; j < dim1; j++)
                meta_for (int k = 0; k < dim2; k++)
                    meta_for (int u = 0; u < B0; u++)
                        meta_for (int v = 0; v < B1; v++)
                            meta_for (int w = 0; w < B2; w++)
                                for (int c = 0; c < s; c++) {
                                    int z = (i * s + c) * B0 + u + 1;
                                    int y = j * B1 + v + 1;
                                    int x = k * B2 + w + 1;
                                    b[z][y][x] = a[z][y][x] +
                                                 r * (a[z - 1][y][x] + a[z + 1][y][x] + a[z][y - 1][x] +
                                                      a[z][y + 1][x] + a[z][y][x - 1] + a[z][y][x + 1] -
                                                      6.0 * a[z][y][x]);
                                }
    }
}
