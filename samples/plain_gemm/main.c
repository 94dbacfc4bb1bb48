/* C = 3 A B + 2 C, where A is the unit matrix. */
#include "plain_gemm.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { M = 400, N = 500 };

int main(void)
{
    float (*c)[N] = malloc(M * sizeof *c), (*a)[M] = calloc(M, sizeof *a),
          (*b)[N] = malloc(M * sizeof *b);
    if (!a || !b || !c)
        return report_memory();
    for (int i = 0; i < M; i++) {
        a[i][i] = 1;
        for (int j = 0; j < N; j++) {
            b[i][j] = (float)(i + j);
            c[i][j] = 10;
        }
    }
    gemm(M, N, M, 3, 2, c, (const float(*)[M])a, (const float(*)[N])b);
    long wrong = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            wrong += c[i][j] != (float)(3 * (i + j) + 20);
    free(a);
    free(b);
    free(c);
    return report("C = 3 B + 2 C", 0, wrong, (long)M * N);
}
