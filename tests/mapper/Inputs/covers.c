/* Sequences of nests: products that share a matrix or wait for each other, a temporary, rounds of the host. */

void both(int m, int n, const int A[restrict m][n], const int p[restrict n], const int r[restrict m], int q[restrict m],
          int s[restrict n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            q[i] += A[i][j] * p[j];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            s[j] += A[i][j] * r[i];
#pragma endscop
}

void waits(int m, int n, const float A[restrict m][n], const float x[restrict n], float t[restrict m], float y[restrict n])
{
#pragma scop
    for (int i = 0; i < m; i++) {
        t[i] = 0;
        for (int j = 0; j < n; j++)
            t[i] += A[i][j] * x[j];
    }
    for (int j = 0; j < n; j++) {
        y[j] = 0;
        for (int i = 0; i < m; i++)
            y[j] += A[i][j] * t[i];
    }
#pragma endscop
}

void local(int n, const float *restrict w, const float *restrict y, const float *restrict z, float *restrict x)
{
    float t[n];
#pragma scop
    for (int i = 0; i < n; i++)
        t[i] = w[i] + y[i];
    for (int i = 0; i < n; i++)
        x[i] = t[i] + z[i];
#pragma endscop
}

void rounds(int steps, int n, float a[restrict n], float b[restrict n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma endscop
}

double dot(int n, const double *restrict u, double *restrict z)
{
    double s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        z[i] = z[i] / 2;
    for (int i = 0; i < n; i++)
        s += z[i] * u[i];
#pragma endscop
    return s;
}
