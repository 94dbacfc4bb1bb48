/* Means of seven neighbours of a row. */
void blur7(int n, int m, const float image[restrict n][m + 6], float out[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int x = 0; x < 7; x++)
                sum += image[i][j + x];
            out[i][j] = sum * (1.0f / 7.0f);
        }
}
