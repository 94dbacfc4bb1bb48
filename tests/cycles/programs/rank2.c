/* A += u v' + w z'. */
void rank2(int n, int m, float a[restrict n][m], const float u[restrict n], const float v[restrict m], const float w[restrict n], const float z[restrict m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += u[i] * v[j] + w[i] * z[j];
}
