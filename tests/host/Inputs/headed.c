/* Macros of a file that headers would meet, and sums that run in place. */
#include <stdio.h>
#include <stdlib.h>
#define abs(x) ((x) >= 0 ? (x) : -(x))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define free_all(x) free(x)

double size_of(int n, const double *x)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += min(abs(x[i]), 2.0);
    return s;
}

void columns(int m, int n, const double *a, double *y)
{
    for (int j = 0; j < n; j++) {
        double s = 0;
        for (int i = 0; i < m; i++)
            s += a[i * n + j];
        y[j] = s;
    }
}

int main(void)
{
    int n = 100000;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++)
        x[i] = (i % 9 - 4) / 8.0;
    columns(100, 1000, x, y);
    printf("%.10g %.10g\n", size_of(n, x), y[7]);
    free_all(x);
    free_all(y);
}
