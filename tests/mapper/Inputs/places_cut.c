void f(int n, int m, float *restrict a, const float *restrict b)
{
    float *row;
    for (int i = 0; i < n; i++) {
#pragma scop
        row = a + i * m;
        for (int j = 0; j < m; j++)
            row[j] = b[j];
#pragma endscop
        row[0] = 1;
    }
}
