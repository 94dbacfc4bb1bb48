/* Running sums: exclusive and inclusive, in place, with locals, products, extremes; and those that must stay. */
#include <stddef.h>
#include <stdint.h>
/* a running count, exclusive */
void offsets(int n, const int *restrict count, int *restrict at)
{
    int k = 0;
    for (int i = 0; i < n; ++i) {
        at[i] = k;
        k += count[i];
    }
    at[n] = k;
}
/* in place */
void inplace(long n, long *v) { long s = 0; long i; for (i = 0; i < n; i++) { s = s + v[i]; v[i] = s; } }
/* from 1, with a local */
unsigned local(int n, const unsigned *restrict x, unsigned *restrict y)
{
    unsigned run = 1;
    for (int i = 1; i <= n; i++) {
        unsigned d = x[i] * x[i - 1];
        unsigned before = run;
        if (d & 1) run += d;
        y[i] = run ^ before;
    }
    return run;
}
/* running maximum */
void peaks(int n, const float *restrict x, float *restrict top)
{
    float m = x[0];
    for (int i = 0; i < n; i++) {
        if (x[i] > m) m = x[i];
        top[i] = m;
    }
}
/* rounds of the host around, rows */
void rows(int n, int m, int a[restrict n][m], int total[restrict n])
{
    for (int r = 0; r < n; r++) {
        int s = 0;
        for (int j = 0; j < m; j++) {
            s += a[r][j];
            a[r][j] = s;
        }
        total[r] = s;
    }
}
/* hash in order: must stay */
unsigned hash(int n, const unsigned *restrict x, unsigned *restrict y)
{
    unsigned h = 5381;
    for (int i = 0; i < n; i++) { h = h * 33 + x[i]; y[i] = h; }
    return h;
}
/* what is added depends on what was stored: must stay */
int feedback(int n, int *restrict x)
{
    int s = 0;
    for (int i = 1; i < n; i++) { s += x[i - 1]; x[i] = s; }
    return s;
}
void xors(size_t n, const uint8_t *restrict x, uint32_t *restrict y)
{
    uint32_t h = 0;
    for (size_t i = 0; i < n; i++) { h ^= (uint32_t)x[i] << (i & 7); y[i] = h; }
}
void products(int n, const int *restrict x, int *restrict y) { int p = 1; for (int i = 0; i < n; i++) { p *= (x[i] & 2) - 1; y[i] = p; } }
/* Numbers of floating point, on the programmer's word; steps that no element gives. */
double balance(int n, const double *restrict x, double *restrict y)
{
    double s = 3;
    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = s * x[i];
    }
    return s;
}
/* Sums in elements: offsets of rows. */
void starts(int rows, const int *restrict count, int *restrict start)
{
    start[0] = 0;
    for (int r = 0; r < rows; r++)
        start[r + 1] = start[r] + count[r];
}
void starts_inplace(int rows, int *restrict start)
{
    for (int r = 1; r <= rows; r++) {
        start[r] += start[r - 1];
    }
}
void down(int n, const unsigned *restrict a, unsigned *restrict b)
{
    for (int i = 1; i < n; i++) { b[i] = b[i - 1] - a[i] * a[i]; }
}
void real(int n, double *restrict x, const double *restrict d)
{
    for (int i = 1; i < n; i++) { double e = d[i] * 0.5; x[i] = e + x[i - 1]; }
}
/* must stay: the step is not one, or what is added depends on it */
void fib(int n, int *restrict x) { for (int i = 2; i < n; i++) { x[i] = x[i - 1] + x[i - 2]; } }
void grow(int n, int *restrict x) { for (int i = 1; i < n; i++) { x[i] = x[i - 1] + x[i - 1] / 3; } }
