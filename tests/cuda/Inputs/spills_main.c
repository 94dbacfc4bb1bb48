/* Runs the product of rectangles (tests/cycles/programs) once, with blocks of 64 threads. */
#include "rectangles.tf.h"
#include <stdio.h>

enum { SIDE = 8, M = 16, DEPTH = 32, WIDTH = 24 };

int main(void)
{
    static float a[M][DEPTH], b[DEPTH][WIDTH], c[M][WIDTH];
    for (int i = 0; i < DEPTH; i++)
        a[1][i] = b[i][1] = 1;
    rectangles(M, WIDTH, DEPTH, 1, SIDE, SIDE, a, b, c);
    printf("%g\n", c[1][1]);
    return 0;
}
