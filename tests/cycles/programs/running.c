/* Running sums of each row. */
void running(int n, int m, const float a[restrict n][m], float b[restrict n][m])
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++) {
            sum += a[i][j];
            b[i][j] = sum;
        }
    }
}
