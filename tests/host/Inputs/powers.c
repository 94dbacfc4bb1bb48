/* Powers, once: on a processor C's are faster than OpenCL's, which a model for GPUs does not say. */
#include <math.h>
#include <stdio.h>

void powers(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = pow(b[i], 3) + pow(b[i], -2.5);
}

int main(void)
{
    enum { N = 60000 };
    static double a[N], b[N];
    for (int i = 0; i < N; i++)
        b[i] = 1 + i % 100;
    powers(N, a, b);
    printf("%.10g\n", a[99]);
    return 0;
}
