/* Each pixel inside an image of h rows becomes the weighted mean of the 3 x 3 pixels around it. */
void filter(int h, int w, const float *in, float *out, const float weights[9])
{
#pragma scop
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            float sum = 0;
            for (int dy = 0; dy < 3; dy++)
                for (int dx = 0; dx < 3; dx++)
                    sum += weights[3 * dy + dx] * in[(y + dy - 1) * w + x + dx - 1];
            out[y * w + x] = sum;
        }
#pragma endscop
}
