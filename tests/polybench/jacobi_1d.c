/* Jacobi iteration on a line: B from A, then A from B, in every step. */
#include <metafork.h>

void jacobi_1d(int steps, int n, double A[n], double B[n])
{
    const int B0 = meta_tunable(128);
    for (int t = 0; t < steps; t++) {
        meta_schedule cache(A) {
            meta_for (int b = 0; b < (n + B0 - 1) / B0; b++)
                meta_for (int l = 0; l < B0; l++) {
                    int i = b * B0 + l;
                    if (i >= 1 && i < n - 1)
                        B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
                }
        }
        meta_schedule cache(B) {
            meta_for (int b = 0; b < (n + B0 - 1) / B0; b++)
                meta_for (int l = 0; l < B0; l++) {
                    int i = b * B0 + l;
                    if (i >= 1 && i < n - 1)
                        A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
                }
        }
    }
}
