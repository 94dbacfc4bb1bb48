/* The mean of 27 neighbours in space. */
void points27(int n, const float a[restrict n][n][n], float b[restrict n][n][n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                float sum = 0;
                for (int x = -1; x <= 1; x++)
                    for (int y = -1; y <= 1; y++)
                        for (int z = -1; z <= 1; z++)
                            sum += a[i + x][j + y][k + z];
                b[i][j][k] = sum * (1.0f / 27.0f);
            }
}
