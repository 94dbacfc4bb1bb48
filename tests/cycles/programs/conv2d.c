#include <metafork.h>

/* 5 by 5 taps, several columns a thread. */
void conv2d(int n, int B0, int B1, int s, const float w[5][5], const float image[restrict n + 4][n + 4], float out[restrict n][n])
{
    int dim0 = (n + B0 - 1) / B0, dim1 = (n + B1 * s - 1) / (B1 * s);
    meta_schedule cache(image) {
        meta_for (int i = 0; i < dim0; i++)
            meta_for (int j = 0; j < dim1; j++)
                meta_for (int v = 0; v < B0; v++)
                    meta_for (int u = 0; u < B1; u++)
                        for (int c = 0; c < s; c++) {
                            int row = i * B0 + v, column = (j * s + c) * B1 + u;
                            if (row < n && column < n) {
                                float sum = 0;
                                for (int y = 0; y < 5; y++)
                                    for (int x = 0; x < 5; x++)
                                        sum += w[y][x] * image[row + y][column + x];
                                out[row][column] = sum;
                            }
                        }
    }
}
