/* The lower triangle of C = alpha A A^T + beta C */
void syrk(int m, int n, double alpha, double beta, double C[restrict n][n], const double A[n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += alpha * A[i][k] * A[j][k];
    }
#pragma endscop
}
