/* Loops over whole rows by `memset` and `memcpy`, `do` loops that count, and loops that a `break` at their beginning ends. */
#include <string.h>

void zero(long n, long m, double *a, double *b, int *c)
{
    for (int i = 0; i < n; i++)
        if (m >= 0) {
            memset(a + i * m, 0, m * sizeof(double));
            memset(&c[i * m], 0, sizeof(int) * (unsigned long)m);
        }
}

void copy(long n, long m, double *a, double *b, int *c)
{
    for (long i = 0; i < n; i++)
        if (i % 2 && m > 0)
            memcpy(&b[i * m], a + i * m, sizeof *a * m);
        else
            for (long j = 0; j < m; j++)
                b[i * m + j] = 1;
}

void bytes(long n, long m, double *a, double *b, int *c)
{
    char *text = (char *)c;
    for (int i = 0; i < m; i++)
        if (n > 0)
            memset(text + i * n, 0, n);
}

void rounds(long n, long m, double *a, double *b, int *c)
{
    double scratch[3][8];
    for (int t = 0; t < 4; t++) {
        memset(scratch, 0, sizeof scratch);
        for (int i = 0; i < 3; i++)
            memset(scratch[i], 0, sizeof scratch[i]);
        for (int i = 0; i < n; i++)
            a[i] += scratch[t % 3][i % 8] + b[i];
        memcpy(b, a, (n > 0 ? n : 0) * sizeof(double));
    }
}

void counts(long n, long m, double *a, double *b, int *c)
{
    long i = 0;
    int k = 1;
    do {
        a[i] = b[i] * 2;
        i++;
    } while (i < n);
    do {
        c[k] = 7 * k;
    } while (++k < 5);
    do
        c[k] -= k;
    while (++k <= 8);
    b[0] = i + k;
}

void once(long n, long m, double *a, double *b, int *c)
{
    for (int i = 0; i < n; i++) {
        int j = 0;
        do {
            a[i * m + j] += 2 * b[j];
            j++;
        } while (j < m);
    }
}

void breaks(long n, long m, double *a, double *b, int *c)
{
    int i = 0, k;
    for (;;) {
        if (i >= n)
            break;
        a[i] += b[i];
        i++;
    }
    for (k = 0;; k++) {
        if (k == n) { break; }
        if (n < 0) break;
        b[k] = 1;
    }
    k = 3;
    while (1) {
        if (!(k < m)) break;
        if (k >= m)
            break;
        c[k] = k;
        k += 1;
    }
}

void ahead(long n, long m, double *a, double *b, int *c)
{
    long k = 0;
    while (1) {
        if (k >= n)
            break;
        b[k] = a[k + 1] * 3;
        k++;
    }
    for (int i = 0;; i += 2) {
        if (i > m) break;
        c[i] = i;
    }
}
