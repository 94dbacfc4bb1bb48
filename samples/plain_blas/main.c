/* A has a dominant diagonal and b is A times ones, so that a few rounds find ones. */
#include "plain_blas.tf.h"
#include "../report.h"
#include <math.h>

enum { N = 1000, ROUNDS = 20 };

static float A[N][N], b[N], x[N], r[N], p[N], q[N];

int main(void)
{
    long wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = i == j ? 4 : 1.0f / (1 + (float)((i - j) * (i - j)));
            b[i] += A[i][j];
        }
    float left = solve(N, ROUNDS, A, b, x, r, p, q);
    for (int i = 0; i < N; i++)
        wrong += !(fabsf(x[i] - 1) < 1e-4f);
    printf("of b squared %.1e is left\n", left);
    return report("solve", 0, wrong, N);
}
