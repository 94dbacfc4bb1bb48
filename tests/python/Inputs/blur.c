/* 3 x 3 box blur of a grey image, flat arrays. */
#define AT(p, y, x) p[(y) * w + (x)]

void blur(int h, int w, const unsigned char *in, unsigned char *out)
{
    for (int y = 1; y < h - 1; ++y) {
        for (int x = 1; x < w - 1; ++x) {
            int sum = 0;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    sum += AT(in, y + dy, x + dx);
            AT(out, y, x) = (unsigned char)(sum / 9);
        }
    }
}
