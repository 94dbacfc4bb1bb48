/* Roots of ones stay one, whichever elements they wait for. */
#include "recurrence.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 40, NB = 1000 };

int main(void)
{
    double (*a)[N][NB] = malloc(N * sizeof *a);
    if (!a)
        return report_memory();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int b = 0; b < NB; b++)
                a[i][j][b] = i && j ? 0 : 1;
    both(N, NB, a);
    long wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int b = 0; b < NB; b++)
                wrong += a[i][j][b] != 1;
    free(a);
    return report("elements from the left and from above", 0, wrong, (long)N * N * NB);
}
