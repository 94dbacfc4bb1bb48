/* Two updates of a matrix by products of vectors, and a product with its transpose. */
void update(int m, int n, const float A[restrict m][n], const float u1[restrict m], const float v1[restrict n], const float u2[restrict m],
            const float v2[restrict n], float B[restrict m][n], const float y[restrict m], const float z[restrict n], float x[restrict n])
{
    float T[m][n];
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            T[i][j] = A[i][j] + u1[i] * v1[j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            B[i][j] = T[i][j] + u2[i] * v2[j];
    for (int j = 0; j < n; j++) {
        x[j] = z[j];
        for (int i = 0; i < m; i++)
            x[j] += B[i][j] * y[i];
    }
#pragma endscop
}
