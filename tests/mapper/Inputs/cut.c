#include "cut.h"
#include <stdio.h>

/* Refused loops beside mapped ones, in a loop of the host and around others. */
double relax(int steps, int n, double a[restrict n][n], double b[restrict n][n],
             const int *restrict p)
{
    double error = 8, sum = 0, tail;
    int k = 0, last;
#pragma scop
    last = n - 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = i + 2 * j;
    /* the steps */
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = a[i - 1][j] + a[i + 1][j] + sum;
        while (error > 1)
            error = error / 2 - t;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j] + error;
        for (int i = 0; i < n; i++)
            b[p[i]][0] += a[i][0];
        error = 8 + t;
    }
    for (int i = 0; i < n; i++) {
        sum = sum + a[i][0];
        b[i][0] = 2 * a[i][last];
    }
    if (sum > 3)
        for (int i = 0; i < n; i++) {
            k = i;
            a[i][i] = twist(b[i][0]);
            for (int j = 0; j < n; j++)
                b[i][j] = a[i][i] + j;
        }
    tail = sum;
    for (int i = 1; i < n; i *= 2)
        for (int j = 0; j < n; j++) {
            a[i][j] = sum + i;
            tail = a[i][j];
        }
#pragma endscop
    return sum + error + k + last + tail;
}

/* A scalar that a part in a loop of the host hands on to its next round. */
void carry(int n, double *restrict a, double *restrict b)
{
    double s = 1;
    for (int t = 0; t < 3; t++) {
#pragma target
        for (int i = 0; i < n; i++) {
            b[i] = b[i] + t;
            s = s * 0.5 + a[i];
            a[i] = s;
        }
    }
}

/* Directives and labels between the loops. */
void between(int n, int *restrict a, int *restrict b)
{
    int round = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] += i;
again:
#ifdef LESS
    for (int i = 0; i < n; i++)
        a[i] = 7;
#else
    for (int i = 0; i < n; i++)
        a[i] = 2 * b[i];
#endif
    if (round++ < 2)
        goto again;
    switch (round) {
    case 3:
        for (int i = 0; i < n; i++)
            b[i] += a[i];
        break;
    default:
        b[0] = 1;
    }
    for (int i = 0; i < n; i++)
        a[i] = b[i] - 1;
#pragma endscop
}

#define SET(x, y) x[0] = y[0]; y[0] = x[1];
#define TWICE(x) for (i = 0; i < n; i++) x[i]++; for (i = 0; i < n; i++) x[i] *= 2;

/* Macros of several statements; an iterator that keeps a value, and one that a later loop begins from. */
int iterators(int n, int *restrict a, int *restrict b)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            a[i] += b[j];
    for (j = j + 1; j < 2 * n; j++)
        b[j - n] = 3;
    for (i = 0; i < n; i++)
        b[i] += i;
    SET(a, b)
    for (i = 0; i < n; i++)
        a[i] -= b[i];
    TWICE(b)
    for (i = 0; i < n; i++)
        b[i] += a[i];
#pragma endscop
    return j;
}
