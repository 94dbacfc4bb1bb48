/* Loops one behind the other that are no sequence, each for another reason. */
#include <stdlib.h>
void freed(int n, double *restrict x, double *restrict y, double *restrict z)
{
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
    free(x);
    for (int i = 0; i < n; i++)
        z[i] = y[i] + 1;
}
void early(int n, double *restrict x, double *restrict y, double *restrict z)
{
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
    if (y[0] < 0)
        return;
    for (int i = 0; i < n; i++)
        z[i] = y[i] + x[i];
}
void alias(int n, double *x, double *y, double *z, double *w)
{
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
    for (int i = 0; i < n; i++)
        w[i] = y[i] + z[i];
}
void loop(int n, int steps, double *restrict x, double *restrict y, double *restrict z)
{
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
    while (steps-- > 0)
        x[0] = x[0] * x[1];
    for (int i = 0; i < n; i++)
        z[i] = y[i] + x[i];
}
double dot(int n, const double *x, const double *y);
void script(int n, double *restrict x, double *restrict y, double *restrict z)
{
    double s;
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
    s = dot(n, x, y);
    for (int i = 0; i < n; i++)
        z[i] = y[i] + s * x[i];
}
