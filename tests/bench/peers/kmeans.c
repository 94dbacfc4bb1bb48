/* Rounds of k-means: each point looks for its nearest centre, then the centres move. */
#include "tests/bench/peers/peers.h"

void kmeans(int n, int k, int rounds, const float x[n][4], float centre[k][4], int *nearest)
{
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int best = 0;
            float least = 1e30f;
            for (int c = 0; c < k; c++) {
                float distance = 0;
                for (int d = 0; d < 4; d++)
                    distance += (x[i][d] - centre[c][d]) * (x[i][d] - centre[c][d]);
                if (distance < least) {
                    least = distance;
                    best = c;
                }
            }
            nearest[i] = best;
        }
        for (int c = 0; c < k; c++) {
            float sum[4] = {0, 0, 0, 0};
            int count = 0;
            for (int i = 0; i < n; i++)
                if (nearest[i] == c) {
                    for (int d = 0; d < 4; d++)
                        sum[d] += x[i][d];
                    count++;
                }
            for (int d = 0; d < 4 && count; d++)
                centre[c][d] = sum[d] / (float)count;
        }
    }
}

int main(int argc, char **argv)
{
    int n = PEERS_SIZE(500, 10000, 100000), k = 8, rounds = PEERS_SIZE(2, 5, 5);
    float(*x)[4] = peers_memory((size_t)n * sizeof *x), centre[8][4];
    int *nearest = peers_memory((size_t)n * sizeof *nearest);
    (void)argc, (void)argv;
    for (int i = 0; i < n * 4; i++)
        x[i / 4][i % 4] = (float)peers_number(i);
    for (int i = 0; i < k * 4; i++)
        centre[i / 4][i % 4] = x[i / 4 * (n / k)][i % 4];
    peers_begin(nearest);
    kmeans(n, k, rounds, (const float(*)[4])x, centre, nearest);
    peers_end(nearest);
    for (int i = 0; i < n; i++)
        peers_dump(nearest[i]);
    free(x);
    free(nearest);
    return 0;
}
