/* A blur of 5 by 5 points of an image with three colours in each point. */
#include "tests/bench/peers/peers.h"

void blur(int w, int h, const unsigned char *in, unsigned char *out, const float *weight)
{
#pragma omp parallel for
    for (int y = 2; y < h - 2; y++)
        for (int x = 2; x < w - 2; x++)
            for (int c = 0; c < 3; c++) {
                float sum = 0;
                for (int dy = -2; dy <= 2; dy++)
                    for (int dx = -2; dx <= 2; dx++)
                        sum += weight[(dy + 2) * 5 + dx + 2] * in[((y + dy) * w + x + dx) * 3 + c];
                out[(y * w + x) * 3 + c] = (unsigned char)sum;
            }
}

int main(int argc, char **argv)
{
    int w = PEERS_SIZE(64, 640, 1920), h = PEERS_SIZE(48, 360, 1080), bytes = w * h * 3;
    unsigned char *in = peers_memory(bytes), *out = peers_memory(bytes);
    float weight[25];
    (void)argc, (void)argv;
    for (int i = 0; i < bytes; i++) {
        in[i] = (unsigned char)(255 * peers_number(i));
        out[i] = 0;
    }
    for (int i = 0; i < 25; i++)
        weight[i] = 0.03125f;
    peers_begin(out);
    blur(w, h, in, out, weight);
    peers_end(out);
    for (int i = 0; i < bytes; i++)
        peers_dump(out[i]);
    free(in);
    free(out);
    return 0;
}
