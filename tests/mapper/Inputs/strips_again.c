/* A sum of a row that is set anew behind its first loop: two strips, not one. */
void again(int n, int m, float y[restrict m], float x[restrict n], const float z[restrict m], const float A[restrict m][n], const float C[restrict m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[i] += A[i][j];
    for (int k = 0; k < m; k++)
        y[k] = z[k];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[i] += C[i][j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            x[j] += C[i][j] * y[i];
#pragma endscop
}
