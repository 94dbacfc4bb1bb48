/* Functions whose loops say that their sums come in any order. */
static double product(int n, const double *x, const double *y)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}
static float norm(int n, const float *x, int from)
{
    float t = 0, top = 0;
    if (n > from)
#pragma acc parallel loop reduction(+:t) \
    reduction(max : top)
        for (int j = 0; j < n; j++) {
            t += x[j] * x[j];
            if (x[j] > top)
                top = x[j];
        }
    return t + top;
}
static double ordered(int n, const double *x)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}
double all(int n, const double x[restrict n], const double y[restrict n], double z[restrict n], const float u[restrict n])
{
    double r, q, t;
#pragma scop
    for (int i = 0; i < n; i++)
        z[i] = x[i] * 2;
    r = product(n, z, y);
    t = norm(n, u, 3);
    q = ordered(n, y);
#pragma endscop
    return r + t + q;
}
