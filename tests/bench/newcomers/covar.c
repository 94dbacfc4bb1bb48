#include "clock.h"
/* covariance of columns, upper triangle mirrored */
void covariance(int n, int m, float **x, float **c, float *mu)
{
    for (int j = 0; j < m; j++) {
        mu[j] = 0;
        for (int i = 0; i < n; i++) mu[j] += x[i][j];
        mu[j] /= n;
    }
    for (int a = 0; a < m; a++)
        for (int b = a; b < m; b++) {
            float s = 0;
            for (int i = 0; i < n; i++) s += (x[i][a] - mu[a]) * (x[i][b] - mu[b]);
            c[a][b] = c[b][a] = s / (n - 1);
        }
}
static float **matrix(int r, int c) { float **p = malloc(r * sizeof *p); for (int i = 0; i < r; i++) p[i] = calloc(c, sizeof **p); return p; }
int main(void)
{
    int n = 1000, m = 150;
    float **x = matrix(n, m), **c = matrix(m, m), *mu = malloc(m * sizeof *mu);
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[i][j] = (i * 31 + j * 17 + i * j) % 101 / 10.f;
    for (int r = 0; r < 5; r++) { begin(); covariance(n, m, x, c, mu); end(); }
    unsigned long long h = 0; for (int i = 0; i < m; i++) h ^= checksum(c[i], m * 4) + i;
    printf("%llx\n", h);
    report();
}
