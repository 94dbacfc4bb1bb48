/* y = L x with the lower triangle of a matrix. */
void lower_sums(int n, const float l[restrict n][n], const float x[restrict n], float y[restrict n])
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j <= i; j++)
            sum += l[i][j] * x[j];
        y[i] = sum;
    }
}
