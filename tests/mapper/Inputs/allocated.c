/* Pointers that C89 declares ahead and that get memory of their own later, and pointers that mean
   memory of others. */
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

int main(void)
{
    printf("%a %a %a\n", apart(100), shifted(100), exchanged(100));
    return 0;
}
