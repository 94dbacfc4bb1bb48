#include <math.h>

static double normal(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752440);
}

/* Prices of European calls after Black and Scholes. */
void prices(int n, const double *spot, const double *strike, const double *years, double rate, double sigma, double *price)
{
    int i;
    for (i = 0; i < n; ++i) {
        const double root = sigma * sqrt(years[i]);
        const double d1 = (log(spot[i] / strike[i]) + (rate + 0.5 * sigma * sigma) * years[i]) / root;
        price[i] = spot[i] * normal(d1) - strike[i] * exp(-rate * years[i]) * normal(d1 - root);
    }
}
