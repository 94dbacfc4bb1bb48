/* Sums over one vector, a loop each: plain C, which becomes one region with as many trees in shared memory. */
void moments(int n, const double x[restrict n], const double y[restrict n], double out[restrict 6])
{
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        a += x[i];
    for (int i = 0; i < n; i++)
        b += y[i];
    for (int i = 0; i < n; i++)
        c += x[i] * x[i];
    for (int i = 0; i < n; i++)
        d += x[i] * y[i];
    for (int i = 0; i < n; i++)
        e += y[i] * y[i];
    for (int i = 0; i < n; i++)
        f += x[i] < y[i] ? x[i] : y[i];
#pragma endscop
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
}
