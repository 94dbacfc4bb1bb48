/* What samples/matmul annotates by hand. */
void product(int n, float a[n][n], float b[n][n], float c[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}

void cross(int h, int w, const float a[h][w], float out[restrict h][w])
{
#pragma scop
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            out[y][x] = 0.2f * (a[y][x] + a[y - 1][x] + a[y + 1][x] + a[y][x - 1] + a[y][x + 1]);
#pragma endscop
}

void blur(int h, int w, const float a[h][w], float out[restrict h][w])
{
#pragma scop
    for (int y = 2; y < h - 2; y++)
        for (int x = 2; x < w - 2; x++) {
            float sum = 0;
            for (int i = -2; i <= 2; i++)
                for (int j = -2; j <= 2; j++)
                    sum += a[y + i][x + j];
            out[y][x] = sum / 25;
        }
#pragma endscop
}
