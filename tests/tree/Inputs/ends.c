#include <metafork.h>

/* The sum ends where the row, the band beside the diagonal or the piece does. */
void ends(int rows, int cols, int half, const double m[rows][cols], const double x[cols], double w[rows])
{
    const int R = meta_tunable(8), Q = meta_tunable(4);
    meta_schedule cache(x) {
        meta_for (int b = 0; b < (rows + R - 1) / R; b++)
            for (int p = 0; p < (cols + Q - 1) / Q; p++)
                meta_for (int r = 0; r < R; r++)
                    for (int q = 0; q < Q; q++) {
                        int row = b * R + r, col = p * Q + q;
                        if (row < rows && col < cols && col <= row + half)
                            w[row] += m[row][col] * x[col];
                    }
    }
}
