/* The eleven sequences of the fusion paper (spec F-16) as loops, each elementary operation a nest of its own, as a program
   calls them one by one. tests/sequences/README.md has the table that they are held to. */

/* z = w - alpha v; r = z^T u */
float axpydot(int n, float alpha, const float *restrict w, const float *restrict v, const float *restrict u,
              float *restrict z)
{
    float r = 0;
    for (int i = 0; i < n; i++)
        z[i] = w[i] - alpha * v[i];
    for (int i = 0; i < n; i++)
        r += z[i] * u[i];
    return r;
}

/* y = A^T (A x) */
void atax(int m, int n, const float A[restrict m][n], const float x[restrict n], float t[restrict m],
          float y[restrict n])
{
    for (int i = 0; i < m; i++)
        t[i] = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            t[i] += A[i][j] * x[j];
    for (int j = 0; j < n; j++)
        y[j] = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            y[j] += A[i][j] * t[i];
}

/* q = A p; s = A^T r */
void bicgk(int m, int n, const float A[restrict m][n], const float p[restrict n], const float r[restrict m],
           float q[restrict m], float s[restrict n])
{
    for (int i = 0; i < m; i++)
        q[i] = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            q[i] += A[i][j] * p[j];
    for (int j = 0; j < n; j++)
        s[j] = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            s[j] += A[i][j] * r[i];
}

/* z = alpha A x + beta y */
void sgemv(int m, int n, float alpha, float beta, const float A[restrict m][n], const float x[restrict n],
           const float y[restrict m], float t[restrict m], float z[restrict m])
{
    for (int i = 0; i < m; i++)
        t[i] = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            t[i] += A[i][j] * x[j];
    for (int i = 0; i < m; i++)
        z[i] = alpha * t[i] + beta * y[i];
}

/* x = beta A^T y + z; w = alpha A x */
void sgemvt(int m, int n, float alpha, float beta, const float A[restrict m][n], const float y[restrict m],
            const float z[restrict n], float x[restrict n], float w[restrict m])
{
    for (int j = 0; j < n; j++)
        x[j] = z[j];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            x[j] += beta * A[i][j] * y[i];
    for (int i = 0; i < m; i++)
        w[i] = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            w[i] += alpha * A[i][j] * x[j];
}

/* x = alpha x */
void sscal(int n, float alpha, float *x)
{
    for (int i = 0; i < n; i++)
        x[i] = alpha * x[i];
}

/* B = A + u1 v1^T + u2 v2^T; x = beta B^T y + z; w = alpha B x */
void gemver(int m, int n, float alpha, float beta, const float A[restrict m][n], const float u1[restrict m],
            const float v1[restrict n], const float u2[restrict m], const float v2[restrict n],
            const float y[restrict m], const float z[restrict n], float T[restrict m][n], float B[restrict m][n],
            float x[restrict n], float w[restrict m])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            T[i][j] = A[i][j] + u1[i] * v1[j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            B[i][j] = T[i][j] + u2[i] * v2[j];
    for (int j = 0; j < n; j++)
        x[j] = z[j];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            x[j] += beta * B[i][j] * y[i];
    for (int i = 0; i < m; i++)
        w[i] = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            w[i] += alpha * B[i][j] * x[j];
}

/* y = alpha A x + beta B x */
void gesummv(int m, int n, float alpha, float beta, const float A[restrict m][n], const float B[restrict m][n],
             const float x[restrict n], float y[restrict m])
{
    for (int i = 0; i < m; i++)
        y[i] = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[i] += alpha * A[i][j] * x[j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[i] += beta * B[i][j] * x[j];
}

/* C = A + B */
void madd(int m, int n, const float A[restrict m][n], const float B[restrict m][n], float C[restrict m][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            C[i][j] = A[i][j] + B[i][j];
}

/* x = w + y + z */
void vadd(int n, const float *restrict w, const float *restrict y, const float *restrict z, float *restrict t,
          float *restrict x)
{
    for (int i = 0; i < n; i++)
        t[i] = w[i] + y[i];
    for (int i = 0; i < n; i++)
        x[i] = t[i] + z[i];
}

/* w = alpha x + beta y */
void waxpby(int n, float alpha, float beta, const float *restrict x, const float *restrict y, float *restrict t,
            float *restrict w)
{
    for (int i = 0; i < n; i++)
        t[i] = beta * y[i];
    for (int i = 0; i < n; i++)
        w[i] = alpha * x[i] + t[i];
}
