/* How many threads the mapped text of diagonals.c has, where each line that begins a thread counts. */
#include <stdio.h>
#include <stdlib.h>

long threads;
void common(long n, long m, double *a, double *b, int *c);
void triangle(long n, long m, double *a, double *b, int *c);
void relax(long n, long m, double *a, double *b, int *c);

int main(void)
{
    long n = 90, m = 60;
    double *a = calloc(2 * n * n, sizeof *a), *b = calloc(2 * n * n, sizeof *b);
    int *c = calloc(n * n, sizeof *c);
    common(n, m, a, b, c);
    printf("common: %ld of %ld\n", threads, (n - 1) * (m - 1));
    threads = 0;
    triangle(n, m, a, b, c);
    printf("triangle: %ld of %ld\n", threads, (n - 1) * n / 2);
    threads = 0;
    relax(n, m, a, b, c);
    printf("relax: %ld of %ld\n", threads, 6 * (n - 2) * (m - 2));
    free(a);
    free(b);
    free(c);
    return 0;
}
