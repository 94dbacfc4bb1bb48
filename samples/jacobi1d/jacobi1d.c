#include <metafork.h>

/* One-dimensional Jacobi iteration for any N: two rows of N cells in one array, read and written by turns. Each thread
   computes s cells that lie B apart; the grid is rounded up, and the guard leaves out what lies beyond the row. */
void jacobi1d(int T, int N, int s, int B, int a[2 * N])
{
    int dim = (N - 2 + s * B - 1) / (s * B);
    for (int t = 0; t < T; ++t)
        meta_schedule cache(a) {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++)
                    for (int k = 0; k < s; ++k) {
                        int p = (i * s + k) * B + j;
                        if (p < N - 2) {
                            if (t % 2)
                                a[p + 1] = (a[N + p] + a[N + p + 1] + a[N + p + 2]) / 3;
                            else
                                a[N + p + 1] = (a[p] + a[p + 1] + a[p + 2]) / 3;
                        }
                    }
        }
}
