/* Two bodies of the same mass at rest, and many without mass: the two fall towards each other, and their middle rests. */
#include "plain_nbody.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 2000, STEPS = 4, ARRAYS = 7 };

int main(void)
{
    float *a[ARRAYS];
    for (int k = 0; k < ARRAYS; k++) {
        a[k] = calloc(N, sizeof *a[k]);
        if (!a[k])
            return report_memory();
    }
    float *m = a[0], *x = a[1], *y = a[2], *z = a[3];
    m[0] = m[N - 1] = 1;
    x[0] = -8;
    x[N - 1] = 8;
    nbody(STEPS, N, 0.5f, 0.01f, m, x, y, z, a[4], a[5], a[6]);
    long wrong = !(x[0] > -8) + (x[0] != -x[N - 1]);
    for (int i = 0; i < N; i++)
        wrong += y[i] != 0 || z[i] != 0;
    for (int k = 0; k < ARRAYS; k++)
        free(a[k]);
    return report("two bodies that attract each other", 0, wrong, N);
}
