/* Nests with more parallel loops than a region has axes. */
void layer(int batch, int kernels, int channels, int h, int w, const float in[batch][channels][h + 2][w + 2],
           const float filter[kernels][channels][3][3], float out[batch][kernels][h][w])
{
#pragma scop
    for (int n = 0; n < batch; n++)
        for (int k = 0; k < kernels; k++)
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++) {
                    float sum = 0;
                    for (int c = 0; c < channels; c++)
                        for (int r = 0; r < 3; r++)
                            for (int s = 0; s < 3; s++)
                                sum += in[n][c][y + r][x + s] * filter[k][c][r][s];
                    out[n][k][y][x] = sum;
                }
#pragma endscop
}

/* The first subscript is the innermost loop: neighbours are those of `e`. */
void turned(int n, int from[n][n][n][n], int to[n][n][n][n])
{
#pragma scop
    for (int e = 0; e < n; e++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                for (int c = 0; c < n; c++)
                    to[c][b][a][e] = from[c][b][a][e] + to[c][b][a][e];
#pragma endscop
}

/* Five axes, which do not all begin at 0. */
void inner(int n, int lo, const int from[n][n][n][n][n], int to[n][n][n][n][n])
{
#pragma scop
    for (int a = 1; a < n - 1; a++)
        for (int b = lo; b < n; b++)
            for (int c = n - 1; c >= 0; c--)
                for (int d = 0; d < n; d++)
                    for (int e = a; e < n; e++)
                        to[a][b][c][d][e] += from[a - 1][b][c][d][e] + from[a + 1][b][c][d][e] * d;
#pragma endscop
}
