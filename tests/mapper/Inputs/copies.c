/* Regions and host code that take turns. */
#include <stdio.h>

/* A loop of the host around regions alone. */
void smooth(int steps, int n, double a[restrict n], double b[restrict n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i + 1]) / 2;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma endscop
}

/* Host code reads in each round; tmp is of the regions alone, and c is overwritten. */
double watched(int n, const float a[restrict n], float c[restrict n])
{
    float tmp[n];
    double sum = 0;
    for (int t = 0; t < 9; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            tmp[i] = a[i] * t;
        for (int i = 0; i < n; i++)
            c[i] = tmp[i] + tmp[n - 1 - i];
#pragma endscop
        sum += c[0];
    }
    return sum;
}

/* Host code writes in some rounds, and the loop may be left early. */
int corrected(int n, int a[restrict n])
{
    for (int t = 0; t < 9; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            a[i] += i;
#pragma endscop
        if (t % 2) {
            puts("again");
            a[0] = 0;
        }
        if (t == n)
            break;
    }
    return a[0];
}
