/* Mandelbrot's set: each point has as many rounds as it needs. */
#include "tests/bench/peers/peers.h"

void mandelbrot(int w, int h, int most, int *rounds)
{
#pragma omp parallel for schedule(dynamic)
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double cr = -2.2 + 3.2 * x / w, ci = -1.2 + 2.4 * y / h, zr = 0, zi = 0;
            int k = 0;
            while (k < most && zr * zr + zi * zi < 4.0) {
                double next = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = next;
                k++;
            }
            rounds[y * w + x] = k;
        }
}

int main(int argc, char **argv)
{
    int w = PEERS_SIZE(64, 400, 1024), h = PEERS_SIZE(48, 300, 768);
    int most = PEERS_SIZE(50, 200, 200);
    int *rounds = peers_memory((size_t)w * h * sizeof *rounds);
    (void)argc, (void)argv;
    for (int i = 0; i < w * h; i++)
        rounds[i] = 0;
    peers_begin(rounds);
    mandelbrot(w, h, most, rounds);
    peers_end(rounds);
    long sum = 0;
    for (int i = 0; i < w * h; i++)
        sum += rounds[i];
    peers_dump((double)sum);
    free(rounds);
    return 0;
}
