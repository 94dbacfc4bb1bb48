/* c += a b, where a is twice the unit matrix. */
#include "matmul.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 500 };

int main(void)
{
    float (*a)[N] = calloc(N, sizeof *a), (*b)[N] = malloc(N * sizeof *b),
          (*c)[N] = calloc(N, sizeof *c);
    if (!a || !b || !c)
        return report_memory();
    for (int i = 0; i < N; i++) {
        a[i][i] = 2;
        for (int j = 0; j < N; j++)
            b[i][j] = (float)(i + j);
    }
    int status = matmul_auto(N, a, b, c);
    long wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            wrong += c[i][j] != (float)(2 * (i + j));
    free(a);
    free(b);
    free(c);
    return report("c = 2 b", status, wrong, (long)N * N);
}
