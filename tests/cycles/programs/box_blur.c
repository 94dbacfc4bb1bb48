/* Means over 9 rows, by sums that run down the columns. */
void box_blur(int h, int w, const float image[restrict h + 8][w], float out[restrict h][w])
{
    for (int x = 0; x < w; x++) {
        float sum = 0;
        for (int y = 0; y < 8; y++)
            sum += image[y][x];
        for (int y = 0; y < h; y++) {
            sum += image[y + 8][x];
            out[y][x] = sum * (1.0f / 9.0f);
            sum -= image[y][x];
        }
    }
}
