/* One step of the wave equation in two dimensions, of second order in time. */
void wave2(int n, int m, float c, const float now[restrict n][m], const float before[restrict n][m], float after[restrict n][m])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            after[i][j] = 2.0f * now[i][j] - before[i][j] +
                          c * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] - 4.0f * now[i][j]);
}
