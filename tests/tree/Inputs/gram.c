#include <metafork.h>

/* c = c + aᵀ·a of any shape; c is named in cache(...), although only its own thread touches an element. */
void gram(int rows, int columns, int T, double a[rows][columns], double c[columns][columns])
{
    int blocks = (columns + T - 1) / T, steps = (rows + T - 1) / T;
    meta_schedule cache(a, c) {
        meta_for (int p = 0; p < blocks; p++)
            meta_for (int q = 0; q < blocks; q++)
                for (int step = 0; step < steps; step++)
                    meta_for (int u = 0; u < T; u++)
                        meta_for (int v = 0; v < T; v++)
                            for (int w = 0; w < T; w++) {
                                int i = p * T + u, j = q * T + v, k = step * T + w;
                                if (i < columns && j < columns && k < rows)
                                    c[i][j] += a[k][i] * a[k][j];
                            }
    }
}
