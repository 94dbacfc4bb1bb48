#include <math.h>
#include <stdio.h>

static double norm(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

void scale(int n, double *restrict x, const double *restrict y)
{
    for (int i = 0; i < n; i++)
        x[i] = 2 * y[i];
    for (int i = 1; i < n; i++)
        x[i] = x[i - 1] + y[i];
    if (n > 3) for (int k = 0; k < 8; k++) x[k] = 0;
}

void smooth(int steps, int n, double a[restrict n][n], double b[restrict n][n])
{
    double error = 1;
    while (error > 1e-3) {
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    b[i][j] = a[i - 1][j] + a[i + 1][j];
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    a[i][j] = b[i][j];
        }
        error = error / 2;
        if (error < 0)
            goto out;
    }
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < i)
            a[i][k++] = 0;
    }
out:
    printf("%g\n", norm(n, &a[0][0]) + norm(n, &b[0][0]));
}

void sums(int n, int m, double *restrict s, double a[restrict n][m], const int *restrict p)
{
    double w = 0;
    if (n > 1)
        for (int i = 0; i < n; i++) {
            double t = 0, u = 0;
            for (int k = 0; k < m; k++)
                t += a[i][k];
            for (int k = 0; k < m; k++)
                u = t * s[i];
            for (int k = 0; k < m; k += 2)
                a[i][k] = u;
        }
    for (int i = n - 1; i >= 0; i--)
        s[i] = s[p[i]] + (i > 0 ? a[i][0] : w);
    for (int i = 0; i < n - 1; i++)
        s[i] = s[i + 1];
    do {
        switch (n) {
        case 1: w = 1; break;
        case 2: w = 2;
        default: continue;
        }
        for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) a[i][j] = 0;
    } while (w > 2);
}

void places(int n, double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        x[0] = y[i];
        y[i] = x[0] * x[0];
    }
}
