/* A filter whose weights keep the pixel alone. */
#include "plain_filter.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { H = 700, W = 1001 };

int main(void)
{
    static const float weights[9] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
    float *in = malloc(H * W * sizeof *in), *out = calloc(H * W, sizeof *out);
    if (!in || !out)
        return report_memory();
    for (int i = 0; i < H * W; i++)
        in[i] = (float)(i % 255);
    filter(H, W, in, out, weights);
    long wrong = 0;
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++)
            wrong += out[y * W + x] != in[y * W + x];
    free(in);
    free(out);
    return report("pixels kept", 0, wrong, (H - 2L) * (W - 2));
}
