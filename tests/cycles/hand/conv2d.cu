/* 5 by 5 taps over an image of (n + 4) by (n + 4), n a multiple of 32: a thread has ROWS points that
   follow each other in a column, and reads the image's rows from the cache, each while it computes
   with the one before; the weights stay in registers. */
enum { TAPS = 5, ROWS = 8, HEIGHT = 4 };
extern "C" __global__ void conv2d(int n, const float *__restrict__ image,
                                  const float *__restrict__ weights, float *__restrict__ out)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = (blockIdx.y * HEIGHT + threadIdx.y) * ROWS;
    int pitch = n + TAPS - 1;
    const float *at = &image[row * pitch + column];
    float w[TAPS][TAPS], sum[ROWS] = {0}, next[TAPS], here[TAPS];
#pragma unroll
    for (int u = 0; u < TAPS; u++)
        next[u] = at[u];
#pragma unroll
    for (int i = 0; i < TAPS * TAPS; i++)
        w[i / TAPS][i % TAPS] = weights[i];
#pragma unroll
    for (int v = 0; v < ROWS + TAPS - 1; v++) {
#pragma unroll
        for (int u = 0; u < TAPS; u++) {
            here[u] = next[u];
            if (v + 1 < ROWS + TAPS - 1)
                next[u] = at[(v + 1) * pitch + u];
        }
#pragma unroll
        for (int u = 0; u < TAPS; u++)
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                if (v - r >= 0 && v - r < TAPS)
                    sum[r] += here[u] * w[v - r][u];
        if (v >= TAPS - 1)
            out[(row + v - TAPS + 1) * n + column] = sum[v - TAPS + 1];
    }
}
