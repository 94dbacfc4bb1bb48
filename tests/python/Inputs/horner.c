#include <stddef.h>

/* A polynomial at n places, coefficients from the highest down. */
void horner(size_t n, int degree, const double *c, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) {
        double v = c[0];
        for (int k = 1; k <= degree; k++)
            v = v * x[i] + c[k];
        y[i] = v;
    }
}
