/* Every element of w and x is that of sums in double. */
#include "plain_gemver.tf.h"
#include "../report.h"
#include <math.h>
#include <stdlib.h>

enum { M = 700, N = 900 };

static float A[M][N], B[M][N], u1[M], v1[N], u2[M], v2[N], y[M], z[N], x[N], w[M];

static float some(int i)
{
    return (float)(i * 37 % 101) / 101;
}

static void data_make(void)
{
    for (int i = 0; i < M; i++) {
        u1[i] = some(i);
        u2[i] = some(i + 3);
        y[i] = some(i + 5);
        for (int j = 0; j < N; j++)
            A[i][j] = some(i + 7 * j);
    }
    for (int j = 0; j < N; j++) {
        v1[j] = some(j + 11);
        v2[j] = some(j + 13);
        z[j] = some(j + 17);
    }
}

static double updated(int i, int j)
{
    return A[i][j] + (double)u1[i] * v1[j] + (double)u2[i] * v2[j];
}

static long is_wrong(double found, double expected)
{
    return !(fabs(found - expected) <= 1e-3 * (1 + fabs(expected)));
}

int main(void)
{
    static double column[N];
    long wrong = 0;
    data_make();
    gemver(M, N, 0.5f, 0.25f, A, u1, v1, u2, v2, y, z, B, x, w);
    for (int j = 0; j < N; j++) {
        column[j] = z[j];
        for (int i = 0; i < M; i++)
            column[j] += 0.25 * updated(i, j) * y[i];
        wrong += is_wrong(x[j], column[j]);
    }
    for (int i = 0; i < M; i++) {
        double row = 0;
        for (int j = 0; j < N; j++)
            row += 0.5 * updated(i, j) * column[j];
        wrong += is_wrong(w[i], row);
    }
    return report("gemver", 0, wrong, M + N);
}
