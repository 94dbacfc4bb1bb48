/* Nine weights down the columns: a half of a separable filter. */
void down9(int n, int m, const float w[restrict 9], const float image[restrict n + 8][m], float out[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int y = 0; y < 9; y++)
                sum += w[y] * image[i + y][j];
            out[i][j] = sum;
        }
}
