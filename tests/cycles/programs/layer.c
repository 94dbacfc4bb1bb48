/* A layer of a network: 3 by 3 taps over channels. */
void layer(int o, int c, int n, const float w[restrict o][c][3][3], const float in[restrict c][n + 2][n + 2], float out[restrict o][n][n])
{
    for (int k = 0; k < o; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float sum = 0;
                for (int t = 0; t < c; t++)
                    for (int y = 0; y < 3; y++)
                        for (int x = 0; x < 3; x++)
                            sum += w[k][t][y][x] * in[t][i + y][j + x];
                out[k][i][j] = sum;
            }
}
