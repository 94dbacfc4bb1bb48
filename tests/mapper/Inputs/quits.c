/* `share` ends the program after a function that it called has given a number; `scaled` itself
   gives nothing then. */
#include <stdlib.h>

static double half(int i)
{
    return i * 0.5;
}

static double share(int i)
{
    double r = half(i);
    if (r == 0.0)
        exit(1);
    return r;
}

double *scaled(int n, double *a)
{
    double *v = (double *)malloc(n * sizeof(double));
    int i;
    for (i = 0; i < n; i++)
        a[i] = share(i);
    for (i = 0; i < n; i++)
        v[i] = a[i] * 2.0;
    return v;
}
