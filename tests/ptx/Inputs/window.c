#include <metafork.h>

/* Sums over windows: 3 x 3, all rounds of which are few; 4 rows of 40, of which a row is; a window of any width. */
void window(int h, int w, int B, int width, const float in[h + 4][w + 40], float few[h][w], float rows[h][w], float any[h][w])
{
    meta_schedule {
        meta_for (int y = 0; y < h; y++)
            meta_for (int b = 0; b < w / B; b++)
                meta_for (int t = 0; t < B; t++) {
                    int x = b * B + t;
                    float sum = 0, tall = 0, wide = 0;
                    for (int p = 0; p < 3; p++)
                        for (int q = 2; q >= 0; q--)
                            sum += in[y + p][x + q];
                    for (int p = 0; p < 4; p++)
                        for (int q = 0; q < 80; q += 2)
                            tall += in[y + p][x + q / 2];
                    for (int q = 0; q < width; q++)
                        wide += in[y][x + q];
                    few[y][x] = sum;
                    rows[y][x] = tall;
                    any[y][x] = wide;
                }
    }
}
