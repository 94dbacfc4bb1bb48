#include <math.h>
#include "clock.h"
#define STEPS 128
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void american_puts(int n, const double strike[], double price[], double spot, double up, double disc, double p)
{
    for (int o = 0; o < n; ++o) {
        double value[STEPS + 1];
        double s = spot * pow(up, -STEPS);
        for (int i = 0; i <= STEPS; ++i) { value[i] = MAX(strike[o] - s, 0.0); s *= up * up; }
        for (int step = STEPS - 1; step >= 0; --step) {
            double s2 = spot * pow(up, -step);
            for (int i = 0; i <= step; ++i) {
                double hold = disc * (p * value[i + 1] + (1 - p) * value[i]);
                value[i] = MAX(hold, strike[o] - s2);
                s2 *= up * up;
            }
        }
        price[o] = value[0];
    }
}
int main(void)
{
    enum { n = 1000 };
    static double k[n], p[n];
    double dt = 1.0 / STEPS, up = exp(0.2 * sqrt(dt)), disc = exp(-0.05 * dt), q = (exp(0.05 * dt) - 1 / up) / (up - 1 / up);
    for (int i = 0; i < n; i++) k[i] = 80 + 40.0 * i / n;
    for (int r = 0; r < 5; r++) { begin(); american_puts(n, k, p, 100, up, disc, q); end(); }
    double sum = 0; for (int i = 0; i < n; i++) sum += p[i];
    printf("%.6f\n", sum);
    report();
}
