/* Data for `treefork verify --data`: a matrix that conjugate gradients are for, symmetric and with large elements on its diagonal. */
void solve_data(int n, int rounds, float A[n][n], float b[n], float x[n], float r[n], float p[n], float q[n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            A[i][j] = i == j ? 4.0f : 1.0f / (float)(1 + (i - j) * (i - j));
        b[i] = (float)(i % 11 - 5);
        x[i] = (float)(i % 3);
        r[i] = p[i] = q[i] = 0;
    }
}
