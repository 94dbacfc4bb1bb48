/* Steps of a two-dimensional FDTD scheme: one region for each of the two electric fields and one
   for the magnetic one. */
#include <metafork.h>

void fdtd_step(int T, int n, int s, int B0, int B1, float ex[n][n], float ey[n][n], float hz[n][n])
{
    int rows = (n - 1 + B0 - 1) / B0, columns = (n - 1 + s * B1 - 1) / (s * B1);
    for (int t = 0; t < T; t++) {
        meta_schedule cache(hz) {
            meta_for (int i = 0; i < rows; i++)
                meta_for (int j = 0; j < columns; j++)
                    meta_for (int a = 0; a < B0; a++)
                        meta_for (int b = 0; b < B1; b++)
                            for (int k = 0; k < s; k++) {
                                int y = i * B0 + a + 1, x = (j * s + k) * B1 + b;
                                if (y < n && x < n)
                                    ey[y][x] = ey[y][x] - 0.5f * (hz[y][x] - hz[y - 1][x]);
                            }
        }
        meta_schedule cache(hz) {
            meta_for (int i = 0; i < rows; i++)
                meta_for (int j = 0; j < columns; j++)
                    meta_for (int a = 0; a < B0; a++)
                        meta_for (int b = 0; b < B1; b++)
                            for (int k = 0; k < s; k++) {
                                int y = i * B0 + a, x = (j * s + k) * B1 + b + 1;
                                if (y < n && x < n)
                                    ex[y][x] = ex[y][x] - 0.5f * (hz[y][x] - hz[y][x - 1]);
                            }
        }
        meta_schedule cache(ex, ey) {
            meta_for (int i = 0; i < rows; i++)
                meta_for (int j = 0; j < columns; j++)
                    meta_for (int a = 0; a < B0; a++)
                        meta_for (int b = 0; b < B1; b++)
                            for (int k = 0; k < s; k++) {
                                int y = i * B0 + a, x = (j * s + k) * B1 + b;
                                if (y < n - 1 && x < n - 1)
                                    hz[y][x] = hz[y][x] - 0.7f * (ex[y][x + 1] - ex[y][x] +
                                                                  ey[y + 1][x] - ey[y][x]);
                            }
        }
    }
}
