/* What verify has to make and compare besides arguments: file-scope arrays, a file-scope pointer, output, a result. */
#include <stdio.h>
#include <metafork.h>
static float state[2][300];
float *table;
static const int weights[3] = {1, 2, 3};

double work(int T, int n, int B, int mode)
{
    int dim = (n + B - 1) / B;
    double sum = 0;
    if (mode == 1)
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++) {
                    int p = i * B + j;
                    if (p < n)
                        table[p] += 1;
                }
        }
    for (int t = 0; t < T; t++)
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++) {
                    int p = i * B + j;
                    if (p < n)
                        state[(t + 1) % 2][p] = state[t % 2][p] + table[p] * weights[p % 3];
                }
        }
    for (int i = 0; i < n; i++)
        sum += state[T % 2][i];
    printf("%.9g\n", sum);
    return sum;
}
