/* C = alpha A B + beta C */
void gemm(int m, int n, int l, float alpha, float beta, float C[restrict m][n], const float A[restrict m][l],
          const float B[restrict l][n])
{
#pragma scop
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++)
            C[i][j] *= beta;
        for (int k = 0; k < l; k++)
            for (int j = 0; j < n; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
    }
#pragma endscop
}
