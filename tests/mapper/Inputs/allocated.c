/* Pointers that C89 declares ahead and that get memory of their own later, and pointers that mean
   memory of others; how many elements such memory has. */
#include <stdio.h>
#include <stdlib.h>

static double total(int n, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * (i % 5 + 1);
    return sum;
}

/* The memory is this function's. */
static double apart(int n)
{
    double *a, *b;
    int i;
    a = (double *)malloc(n * sizeof(double));
    b = malloc(n * sizeof *b);
    for (i = 0; i < n; i++)
        b[i] = i / 7.0;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = b[i] * 2 + b[n - 1 - i];
#pragma endscop
    double sum = total(n, a);
    free(a);
    free(b);
    return sum;
}

/* The second pointer is another part of the first one's memory. */
static double shifted(int n)
{
    double *a, *b;
    a = malloc(2 * n * sizeof *a);
    for (int i = 0; i < 2 * n; i++)
        a[i] = i / 3.0;
    b = a + 1;
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[i] * 2;
#pragma endscop
    double sum = total(n, a);
    free(a);
    return sum;
}

/* Memory of its own, but exchanged. */
static double exchanged(int n)
{
    double *a, *b, *t;
    a = malloc(n * sizeof *a);
    b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = b[i] = i / 3.0;
    for (int round = 0; round < 3; round++) {
#pragma scop
        for (int i = 1; i < n; i++)
            b[i] = a[i - 1] + a[i];
#pragma endscop
        t = a;
        a = b;
        b = t;
    }
    double sum = total(n, a);
    free(a);
    free(b);
    return sum;
}

/* Read by index: what malloc and calloc were asked for is what there is. */
static double by_index(int rows, int columns)
{
    double *a, *b;
    int *at, n;
    n = rows * columns;
    a = (double *)malloc(n * sizeof(double));
    b = malloc(sizeof *b * rows * columns);
    at = calloc(n, sizeof(int));
    for (int i = 0; i < n; i++) {
        at[i] = i * 3 % n;
        b[i] = i / 7.0;
    }
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[at[i]] * 2 + b[at[n - 1 - i]];
#pragma endscop
    double sum = total(n, a);
    free(a);
    free(b);
    free(at);
    return sum;
}

/* Nobody knows how many elements these have at the loop. */
static double unknown(int n, int m)
{
    double *bytes = malloc(8 * n), *twice = malloc(n * sizeof *twice);
    double *grown = malloc(m * sizeof *grown), *other = malloc(n * sizeof(float));
    double *out = malloc(n * sizeof *out), sum;
    int *at = malloc(n * sizeof *at);
    double *moved = malloc(n * sizeof *moved), *small = malloc((unsigned char)n * sizeof *small);
    if (n > 5) {
        free(twice);
        twice = malloc(2 * n * sizeof *twice);
    }
    free(other);
    other = malloc(n * sizeof *other);
    m = n;
    moved = moved + 1;
    for (int i = 0; i < n; i++) {
        at[i] = (i * 3 + 1) % n;
        bytes[i] = twice[i] = other[i] = moved[i - 1] = i;
    }
    grown[0] = m;
    for (int i = 0; i < n; i++)
        out[i] = bytes[at[i]];
    for (int i = 0; i < n; i++)
        out[i] += twice[at[i]];
    for (int i = 0; i < n; i++)
        out[i] += other[at[i]];
    for (int i = 0; i < n; i++)
        out[i] += moved[at[i] - 1];
    for (int i = 0; i < n; i++)
        out[i] += grown[at[i] * 0];
    small[0] = 1;
    for (int i = 0; i < n; i++)
        out[i] += small[at[i] * 0];
    sum = total(n, out);
    free(bytes);
    free(twice);
    free(grown);
    free(other);
    free(out);
    free(at);
    free(moved - 1);
    free(small);
    return sum;
}

int main(void)
{
    printf("%a %a %a\n", apart(100), shifted(100), exchanged(100));
    printf("%a %a\n", by_index(7, 13), unknown(2000, 2000));
    return 0;
}
