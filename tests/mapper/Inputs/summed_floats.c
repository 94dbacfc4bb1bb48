/* Floats that are summed in doubles, as C's literals and functions make them. */
#include <math.h>
float sums(int n, const float x[restrict n], const float y[restrict n], float out[restrict 4])
{
    float s = 0, t = 1, u = 0, p = 1;
    for (int i = 0; i < n; i++) {
        s += fabs(x[i]) * 0.5;
        t = t + 0.25 * x[i] - y[i];
        u -= pow(x[i] - y[i], 2);
        p *= 1 + 1e-3 * x[i];
    }
    out[0] = s;
    out[1] = t;
    out[2] = u;
    return p;
}
void rows(int n, const float a[restrict 9][n], float r[restrict 9])
{
    for (int i = 0; i < 9; i++) {
        r[i] = 0;
        for (int j = 0; j < n; j++)
            r[i] = 2.0 * a[i][j] + r[i];
        r[i] = sqrt(r[i] * r[i]);
    }
}
/* A double that is summed in floats loses bits of its own. */
double narrow(int n, const float x[restrict n])
{
    double d = 0;
    for (int i = 0; i < n; i++)
        d = (float)d + x[i];
    return d;
}
