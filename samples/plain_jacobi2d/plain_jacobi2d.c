/* A cell becomes the mean of its neighbours and itself, there and back. */
void jacobi2d(int steps, int n, double now[restrict n][n], double next[restrict n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i][j] = (now[i][j] + now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]) / 5;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                now[i][j] = (next[i][j] + next[i - 1][j] + next[i + 1][j] + next[i][j - 1] + next[i][j + 1]) / 5;
    }
#pragma endscop
}
