/* Electric and magnetic field on a plane: the first row of ey is given for every step. */
#include <metafork.h>

void fdtd_2d(int steps, int nx, int ny, double ex[nx][ny], double ey[nx][ny], double hz[nx][ny],
             const double fict[steps], int B0, int B1)
{
    for (int t = 0; t < steps; t++) {
        meta_schedule cache(hz) {
            meta_for (int bi = 0; bi < (nx + B0 - 1) / B0; bi++)
                meta_for (int bj = 0; bj < (ny + B1 - 1) / B1; bj++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = bi * B0 + ti, j = bj * B1 + tj;
                            if (i < nx && j < ny) {
                                if (i == 0)
                                    ey[0][j] = fict[t];
                                else
                                    ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
                            }
                        }
        }
        meta_schedule cache(hz) {
            meta_for (int bi = 0; bi < (nx + B0 - 1) / B0; bi++)
                meta_for (int bj = 0; bj < (ny + B1 - 1) / B1; bj++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = bi * B0 + ti, j = bj * B1 + tj;
                            if (i < nx && j > 0 && j < ny)
                                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
                        }
        }
        meta_schedule cache(ex, ey) {
            meta_for (int bi = 0; bi < (nx + B0 - 1) / B0; bi++)
                meta_for (int bj = 0; bj < (ny + B1 - 1) / B1; bj++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = bi * B0 + ti, j = bj * B1 + tj;
                            if (i < nx - 1 && j < ny - 1)
                                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
                        }
        }
    }
}
