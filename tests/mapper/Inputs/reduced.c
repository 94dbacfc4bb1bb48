/* Reduced loops that become axes where statements share an array so, and others that stay in their threads. */

/* Sums along columns and along rows of one array, in one nest. */
void products(int m, int n, const int A[restrict m][n], const int r[restrict m], const int p[restrict n],
              int s[restrict n], int q[restrict m])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            s[j] += r[i] * A[i][j];
            q[i] += A[i][j] * p[j];
        }
#pragma endscop
}

/* An array is written, then summed along columns, in loops that stand the other way round. */
void update(int m, int n, int A[restrict n][m], const int u[restrict n], const int v[restrict m],
            const int y[restrict n], int x[restrict m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i][j] = A[i][j] + u[i] * v[j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            x[i] += A[j][i] * y[j];
#pragma endscop
}

/* Floating sums: `x[i] += z[i]` comes last in the source, and so it does in the text. */
void update_last(int n, float A[restrict n][n], const float u[restrict n], const float y[restrict n],
                 const float z[restrict n], float x[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = A[i][j] + u[i] * u[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] = x[i] + A[j][i] * y[j];
    for (int i = 0; i < n; i++)
        x[i] = x[i] + z[i];
#pragma endscop
}

/* Sums along rows, along columns and of everything. */
void three(int m, int n, const int A[restrict m][n], int s[restrict n], int q[restrict m], int *restrict t)
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            q[i] += A[i][j];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            s[j] += A[i][j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            t[0] += A[i][j];
#pragma endscop
}

/* k stays in the threads of a product. */
void product(int n, int C[restrict n][n], const int A[restrict n][n], const int B[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}

/* Both sums are of rows: threads of rows read each array once anyhow. */
void rows(int m, int n, const int A[restrict m][n], const int x[restrict n], int y[restrict m], int z[restrict m])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            y[i] += A[i][j] * x[j];
            z[i] += A[i][j];
        }
#pragma endscop
}

/* The arrays are two: nothing is shared. */
void apart(int m, int n, const int A[restrict m][n], const int B[restrict m][n], int s[restrict n], int q[restrict m])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            s[j] += A[i][j];
            q[i] += B[i][j];
        }
#pragma endscop
}

/* The second sum needs all of the first one. */
void chain(int m, int n, const int A[restrict m][n], const int x[restrict n], int t[restrict m], int y[restrict n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            t[i] += A[i][j] * x[j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[j] += A[i][j] * t[i];
#pragma endscop
}

/* The writes of `data` stay together, as each would read it again; so the sum before keeps its threads. */
void scaled(int m, int n, int data[restrict m][n], int mean[restrict n], int spread[restrict n])
{
#pragma scop
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            mean[j] += data[i][j];
    for (int j = 0; j < n; j++)
        mean[j] = mean[j] / 3;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            data[i][j] = data[i][j] + 2;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            data[i][j] = data[i][j] - mean[j] + spread[j];
#pragma endscop
}
