/* Softmax of each row of a matrix. */
#include "tests/bench/peers/peers.h"
#include <math.h>

void softmax(int rows, int n, const float x[rows][n], float y[rows][n])
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        float most = x[r][0], sum = 0;
        for (int i = 1; i < n; i++)
            if (x[r][i] > most)
                most = x[r][i];
        for (int i = 0; i < n; i++) {
            y[r][i] = expf(x[r][i] - most);
            sum += y[r][i];
        }
        for (int i = 0; i < n; i++)
            y[r][i] = y[r][i] / sum;
    }
}

int main(int argc, char **argv)
{
    int rows = PEERS_SIZE(20, 400, 4000), n = PEERS_SIZE(50, 500, 1000);
    size_t bytes = (size_t)rows * n * sizeof(float);
    float *x = peers_memory(bytes), *y = peers_memory(bytes);
    (void)argc, (void)argv;
    for (int i = 0; i < rows * n; i++) {
        x[i] = (float)(8 * peers_number(i));
        y[i] = 0;
    }
    peers_begin(y);
    softmax(rows, n, (const float(*)[n])x, (float(*)[n])y);
    peers_end(y);
    for (int i = 0; i < rows * n; i++)
        peers_dump(y[i]);
    free(x);
    free(y);
    return 0;
}
