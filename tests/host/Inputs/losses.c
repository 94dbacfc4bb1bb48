/* A stencil whose halos members exchange, a write of the host, transpositions there and back, so
   that members copy columns, and a histogram in which all members count; then a digest of the
   results. */
#include "columns.tf.h"
#include "counts.tf.h"
#include "jacobi2d.tf.h"
#include <stdio.h>

enum { SIZE = 46 };

static float planes[2][SIZE][SIZE];
static int matrix[SIZE][SIZE], back[SIZE][SIZE], most[1];
static unsigned count[16];

int main(void)
{
    unsigned sum = 2166136261u;
    for (int i = 0; i < SIZE * SIZE; i++)
        planes[0][i / SIZE][i % SIZE] = (float)(i * 37 % 101) / 7;
    jacobi2d(4, SIZE, 1, 4, 16, planes);
    planes[0][20][20] += 1;
    jacobi2d(3, SIZE, 1, 4, 16, planes);
    for (int i = 0; i < SIZE * SIZE; i++)
        matrix[i / SIZE][i % SIZE] = (int)(1000 * planes[1][i / SIZE][i % SIZE]);
    columns(SIZE, 4, matrix, back);
    matrix[7][9] += 3;
    columns(SIZE, 4, matrix, back);
    counts(SIZE * SIZE, 16, count, most, &matrix[0][0]);
    count[3] += 5;
    counts(SIZE * SIZE, 16, count, most, &back[0][0]);
    for (int i = 0; i < 16; i++)
        sum = (sum ^ count[i]) * 16777619u + (unsigned)most[0];
    for (int i = 0; i < SIZE * SIZE; i++)
        sum = (sum ^ (unsigned)matrix[i / SIZE][i % SIZE]) * 16777619u;
    printf("%x\n", sum);
    return 0;
}
