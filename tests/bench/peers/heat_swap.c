/* Heat in a plate, two fields whose pointers are exchanged after each step. */
#include "tests/bench/peers/peers.h"

void heat(int n, int steps, double *now, double *next)
{
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i * n + j] =
                    now[i * n + j] +
                    0.1 * (now[(i - 1) * n + j] + now[(i + 1) * n + j] + now[i * n + j - 1] +
                           now[i * n + j + 1] - 4.0 * now[i * n + j]);
        double *kept = now;
        now = next;
        next = kept;
    }
}

int main(int argc, char **argv)
{
    int n = PEERS_SIZE(64, 250, 1000), steps = PEERS_SIZE(4, 20, 50);
    size_t bytes = (size_t)n * n * sizeof(double);
    double *now = peers_memory(bytes), *next = peers_memory(bytes);
    (void)argc, (void)argv;
    for (int i = 0; i < n * n; i++)
        now[i] = next[i] = peers_number(i);
    peers_begin(now);
    heat(n, steps, now, next);
    peers_end(now);
    for (int i = 0; i < n * n; i++)
        peers_dump(now[i]);
    free(now);
    free(next);
    return 0;
}
