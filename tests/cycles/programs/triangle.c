/* b = L a with a lower triangular matrix L. */
void triangle(int n, int m, const float l[restrict n][n], const float a[restrict n][m], float b[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k <= i; k++)
                sum += l[i][k] * a[k][j];
            b[i][j] = sum;
        }
}
