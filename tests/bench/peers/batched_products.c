/* Many products of small matrices, each by itself. */
#include "tests/bench/peers/peers.h"

#define M 16

void products(int count, const float a[count][M][M], const float b[count][M][M],
              float c[count][M][M])
{
#pragma omp parallel for
    for (int p = 0; p < count; p++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++) {
                float sum = 0;
                for (int k = 0; k < M; k++)
                    sum += a[p][i][k] * b[p][k][j];
                c[p][i][j] = sum;
            }
}

int main(int argc, char **argv)
{
    int count = PEERS_SIZE(20, 1000, 20000);
    float(*a)[M][M] = peers_memory(count * sizeof *a), (*b)[M][M] = peers_memory(count * sizeof *b);
    float(*c)[M][M] = peers_memory(count * sizeof *c);
    (void)argc, (void)argv;
    for (int i = 0; i < count * M * M; i++) {
        (&a[0][0][0])[i] = (float)peers_number(i);
        (&b[0][0][0])[i] = (float)peers_number(3 * i + 1);
        (&c[0][0][0])[i] = 0;
    }
    peers_begin(c);
    products(count, (const float(*)[M][M])a, (const float(*)[M][M])b, c);
    peers_end(c);
    for (int i = 0; i < count * M * M; i++)
        peers_dump((&c[0][0][0])[i]);
    free(a);
    free(b);
    free(c);
    return 0;
}
