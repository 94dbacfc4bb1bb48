/* Two images by a mask. */
void blend(int h, int w, const float a[restrict h][w], const float b[restrict h][w], const float mask[restrict h][w],
           float out[restrict h][w])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y][x] = mask[y][x] * a[y][x] + (1.0f - mask[y][x]) * b[y][x];
}
