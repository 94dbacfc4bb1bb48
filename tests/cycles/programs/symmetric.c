/* The symmetric part of a matrix. */
void symmetric(int n, const float a[restrict n][n], float b[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = 0.5f * (a[i][j] + a[j][i]);
}
