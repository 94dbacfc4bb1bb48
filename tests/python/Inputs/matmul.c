/* c = a b */
void matmul(int n, int k, int m, float a[n][k], float b[k][m], float c[n][m])
{
    int i, j, l;
    for (i = 0; i < n; i++) {
        for (j = 0; j < m; j++) {
            c[i][j] = 0.0f;
            for (l = 0; l < k; l++)
                c[i][j] += a[i][l] * b[l][j];
        }
    }
}
