#include <math.h>
#include "clock.h"
void kde(const double *x, int n, const double *grid, double *f, int m, double h)
{
    const double norm = 1.0 / (n * h * sqrt(2 * M_PI));
    for (int g = 0; g < m; g++) {
        f[g] = 0;
        for (int i = 0; i < n; i++) {
            double z = (grid[g] - x[i]) / h;
            f[g] += exp(-0.5 * z * z);
        }
        f[g] *= norm;
    }
}
int main(void)
{
    enum { n = 2000, m = 500 };
    static double x[n], grid[m], f[m];
    for (int i = 0; i < n; i++) x[i] = (i * 7919 % 1000) / 1000.0;
    for (int g = 0; g < m; g++) grid[g] = (double)g / m;
    for (int r = 0; r < 5; r++) { begin(); kde(x, n, grid, f, m, .05); end(); }
    double s = 0; for (int g = 0; g < m; g++) s += f[g];
    printf("%.6f\n", s);
    report();
}
