/* GEMVER of the updated BLAS, operation by operation, each a nest of its own, as a program calls them one by one:
   B = A + u1 v1' + u2 v2', x = beta B' y + z, w = alpha B x. */
void gemver(int m, int n, float alpha, float beta, const float A[restrict m][n], const float u1[restrict m],
            const float v1[restrict n], const float u2[restrict m], const float v2[restrict n], const float y[restrict m],
            const float z[restrict n], float B[restrict m][n], float x[restrict n], float w[restrict m])
{
    float T[m][n];
#pragma scop
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
#pragma endscop
}
