/* The lower triangle of c = beta c + alpha a a'. */
void syrk(int n, int m, float alpha, float beta, float c[restrict n][n], const float a[restrict n][m])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            c[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                c[i][j] += alpha * a[i][k] * a[j][k];
    }
}
