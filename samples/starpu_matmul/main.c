/* The sample matmul as tasks of StarPU on one machine or several: run [N]. c += a b, where sums of small integers are exact, so
   that they can be told without another product. */
#include "matmul.tf.h"
#include "../report.h"
#include <stdlib.h>
#include <treefork-starpu.h>

int main(int count, char **words)
{
    int n = count > 1 ? atoi(words[1]) : 400;
    size_t cells = (size_t)n * n;
    float *a = malloc(cells * sizeof *a), *b = malloc(cells * sizeof *b), *c = malloc(cells * sizeof *c);
    if (!a || !b || !c)
        return report_memory();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[(size_t)i * n + j] = (float)(i % 5);
            b[(size_t)i * n + j] = (float)(j % 7);
            c[(size_t)i * n + j] = (float)(i + j);
        }
    int status = matmul_auto(n, (float(*)[n])a, (float(*)[n])b, (float(*)[n])c);
    long wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            wrong += c[(size_t)i * n + j] != (float)(i % 5 * (j % 7) * n + i + j);
    free(a);
    free(b);
    free(c);
    if (treefork_starpu_rank() == 0 || wrong || status)
        return report("elements of c", status, wrong, (long)cells);
    return 0;
}
