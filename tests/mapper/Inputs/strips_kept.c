/* Sums of rows that no block can own as strips: one has two starts, one is handed on by what is made of it. */
void started_twice(int n, int m, float x[restrict n], const float z[restrict n], float y[restrict m], const float A[restrict m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        y[i] = n;
    for (int k = 0; k < m; k++)
        y[k] = 1;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[i] += A[i][j] * z[j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            x[j] += A[i][j] * y[i];
#pragma endscop
}

void handed_on(int n, int m, double t[restrict n], double u[restrict n], const double z[restrict n], double y[restrict m],
               const double A[restrict m][n])
{
#pragma scop
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            t[j] += A[i][j] * 2;
    for (int i = 0; i < n; i++)
        u[i] = t[i] * 2 + z[i];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[i] += A[i][j] * u[j];
#pragma endscop
}

/* The sum over y1 starts anew behind what reads its old values. */
void read_before(int n, int m, double x[restrict n], double y[restrict m], double A[restrict m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            x[j] += A[i][j] * y[i];
    for (int k = 0; k < m; k++)
        y[k] = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            y[i] += A[i][j];
#pragma endscop
}
