/* What is read by index has no extent in two of four fragments. */
void doubled(int n, float *restrict out, const float *restrict in, const int *restrict index,
             float half[restrict 2 * n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = 2 * in[i];
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = out[i] + in[index[i]];
    for (int k = 0; k < 2 * n; k++)
        half[k] = half[k] / 2;
#pragma endscop
}

void masked(int n, float *restrict out, const float *restrict table, const float *restrict wheel,
            const unsigned *restrict keys, const int *restrict turns)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = table[keys[i] & 255] + wheel[keys[turns[i] & 7] % 360u];
#pragma endscop
}

void gather(int w, int h, float *restrict out, const float *restrict in,
            const int columns[restrict w], const float known[restrict h * w])
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] = in[y * w + columns[x]];
#pragma endscop
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] += known[y * w + columns[x]];
#pragma endscop
}

void filtered(int n, int taps, const float *restrict signal, const float *restrict weights,
              float *restrict out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int t = 0; t < taps && t <= i; t++)
            sum += weights[t] * signal[i - t];
        out[i] = sum;
    }
#pragma endscop
}

void rows_sum(int rows, int entries, const int first[restrict rows + 1], const float *restrict value,
              float sum[restrict rows])
{
#pragma scop
    for (int r = 0; r < rows; r++) {
        sum[r] = 0;
        for (int k = first[r]; k < first[r + 1]; k++)
            sum[r] += value[k];
    }
#pragma endscop
}
