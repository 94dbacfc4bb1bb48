/* Sweeps of Gauss and Seidel, in place. A point of sweep t needs its neighbours before it of the same sweep and those
   behind it of the sweep before: all points of equal w = 4 t + 2 i + j may be computed at once. */
#include <metafork.h>

void seidel_2d(int steps, int n, double A[n][n], int B0, int B1)
{
    for (int w = 3; w < 4 * steps + 3 * n - 9; w++)
        meta_schedule {
            meta_for (int bt = 0; bt < (steps + B0 - 1) / B0; bt++)
                meta_for (int bi = 0; bi < (n - 2 + B1 - 1) / B1; bi++)
                    meta_for (int tt = 0; tt < B0; tt++)
                        meta_for (int ti = 0; ti < B1; ti++) {
                            int t = bt * B0 + tt, i = bi * B1 + ti + 1;
                            int j = w - 4 * t - 2 * i;
                            if (t < steps && i < n - 1 && j >= 1 && j < n - 1)
                                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] +
                                           A[i][j + 1] + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
                        }
        }
}
