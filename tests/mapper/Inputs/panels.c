/* Loops of the host whose rounds come in groups: factorizations and triangular systems in the
   orders that people write them in. */
#include <math.h>
#ifdef SOURCE
#define NAME(name) name##_source
#else
#define NAME(name) name
#endif

/* Updates as early as possible. */
void NAME(cholesky_right)(int n, double a[n][n])
{
#pragma scop
    for (int k = 0; k < n; k++) {
        a[k][k] = sqrt(a[k][k]);
        for (int i = k + 1; i < n; i++)
            a[i][k] /= a[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++)
                a[i][j] -= a[i][k] * a[j][k];
    }
#pragma endscop
}

/* Column by column, each updated as late as possible. */
void NAME(cholesky_left)(int n, double a[n][n])
{
#pragma scop
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++)
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
        a[j][j] = sqrt(a[j][j]);
        for (int i = j + 1; i < n; i++)
            a[i][j] /= a[j][j];
    }
#pragma endscop
}

/* The textbook's order, again and again. */
void NAME(lu_right)(int m, int n, double a[n][n])
{
#pragma scop
    for (int t = 0; t < m; t++)
        for (int k = 0; k < n - 1; k++) {
            for (int i = k + 1; i < n; i++)
                a[i][k] = a[i][k] / a[k][k] + t;
            for (int i = k + 1; i < n; i++)
                for (int j = k + 1; j < n; j++)
                    a[i][j] = a[i][j] - a[i][k] * a[k][j];
        }
#pragma endscop
}

/* From 1, as in translations of Fortran, of a part of the matrix. */
void NAME(lu_part)(int n, int first, int last, double a[n + 1][n + 1])
{
#pragma scop
    for (int k = first; k <= last; k++) {
        for (int i = k + 1; i <= n; i++)
            a[i][k] /= a[k][k];
        for (int j = k + 1; j <= n; j++)
            for (int i = k + 1; i <= n; i++)
                a[i][j] -= a[i][k] * a[k][j];
    }
#pragma endscop
}

/* By columns of the system. */
void NAME(solve_columns)(int n, const double a[restrict n][n], double x[restrict n])
{
#pragma scop
    for (int j = 0; j < n; j++) {
        x[j] /= a[j][j];
        for (int i = j + 1; i < n; i++)
            x[i] -= a[i][j] * x[j];
    }
#pragma endscop
}

/* Many right sides. */
void NAME(solve_many)(int n, int m, const double a[restrict n][n], double x[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int k = 0; k < i; k++)
                x[i][j] -= a[i][k] * x[k][j];
            x[i][j] /= a[i][i];
        }
#pragma endscop
}

/* Each round needs the whole of the last one: nothing waits. */
void NAME(relax)(int n, double a[restrict n][n], double b[restrict n][n])
{
#pragma scop
    for (int t = 0; t < 9; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = a[i - 1][j] + a[i][j - 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j] / 2;
    }
#pragma endscop
}

/* The rounds count down. */
void NAME(solve_down)(int n, const double a[restrict n][n], double x[restrict n])
{
#pragma scop
    for (int j = n - 1; j >= 0; j--) {
        x[j] /= a[j][j];
        for (int i = 0; i < j; i++)
            x[i] -= a[i][j] * x[j];
    }
#pragma endscop
}
