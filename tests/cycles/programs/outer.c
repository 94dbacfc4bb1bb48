/* The outer product of two vectors. */
void outer(int n, int m, const float x[restrict n], const float y[restrict m], float c[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i][j] = x[i] * y[j];
}
