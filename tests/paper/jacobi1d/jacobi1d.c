#include <metafork.h>

/* One-dimensional Jacobi iteration (Figure 7): two rows of N cells in one array, read and written by turns. */
void jacobi1d(int T, int N, int s, int B, int a[2 * N])
{
    int dim = (N - 2) / (s * B);
    for (int t = 0; t < T; ++t)
        meta_schedule cache(a) {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++)
                    for (int k = 0; k < s; ++k) {
                        int p = i * s * B + k * B + j;
                        int p1 = p + 1;
                        int p2 = p + 2;
                        int np = N + p;
                        int np1 = N + p + 1;
                        int np2 = N + p + 2;
                        if (t % 2)
                            a[p1] = (a[np] + a[np1] + a[np2]) / 3;
                        else
                            a[np1] = (a[p] + a[p1] + a[p2]) / 3;
                    }
        }
}
