/* Deriche's recursive smoothing: forth and back along each row, then along each column. */
#include <math.h>
#include <metafork.h>

void deriche(int w, int h, float alpha, const float in[w][h], float out[w][h], float y1[w][h], float y2[w][h], int B0,
             int B1)
{
    float k = (1.0f - expf(-alpha)) * (1.0f - expf(-alpha)) /
              (1.0f + 2.0f * alpha * expf(-alpha) - expf(2.0f * alpha));
    float a1 = k, a2 = k * expf(-alpha) * (alpha - 1.0f);
    float a3 = k * expf(-alpha) * (alpha + 1.0f), a4 = -k * expf(-2.0f * alpha);
    float b1 = powf(2.0f, -alpha), b2 = -expf(-2.0f * alpha);
    meta_schedule {
        meta_for (int b = 0; b < (w + B0 - 1) / B0; b++)
            meta_for (int t = 0; t < B0; t++) {
                int i = b * B0 + t;
                if (i < w) {
                    float x1 = 0, before = 0, earlier = 0;
                    for (int j = 0; j < h; j++) {
                        y1[i][j] = a1 * in[i][j] + a2 * x1 + b1 * before + b2 * earlier;
                        x1 = in[i][j];
                        earlier = before;
                        before = y1[i][j];
                    }
                    float x2 = 0;
                    x1 = 0;
                    before = 0;
                    earlier = 0;
                    for (int j = h - 1; j >= 0; j--) {
                        y2[i][j] = a3 * x1 + a4 * x2 + b1 * before + b2 * earlier;
                        x2 = x1;
                        x1 = in[i][j];
                        earlier = before;
                        before = y2[i][j];
                    }
                }
            }
    }
    meta_schedule {
        meta_for (int bi = 0; bi < (w + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (h + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < w && j < h)
                            out[i][j] = y1[i][j] + y2[i][j];
                    }
    }
    meta_schedule {
        meta_for (int b = 0; b < (h + B0 - 1) / B0; b++)
            meta_for (int t = 0; t < B0; t++) {
                int j = b * B0 + t;
                if (j < h) {
                    float x1 = 0, before = 0, earlier = 0;
                    for (int i = 0; i < w; i++) {
                        y1[i][j] = a1 * out[i][j] + a2 * x1 + b1 * before + b2 * earlier;
                        x1 = out[i][j];
                        earlier = before;
                        before = y1[i][j];
                    }
                    float x2 = 0;
                    x1 = 0;
                    before = 0;
                    earlier = 0;
                    for (int i = w - 1; i >= 0; i--) {
                        y2[i][j] = a3 * x1 + a4 * x2 + b1 * before + b2 * earlier;
                        x2 = x1;
                        x1 = out[i][j];
                        earlier = before;
                        before = y2[i][j];
                    }
                }
            }
    }
    meta_schedule {
        meta_for (int bi = 0; bi < (w + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (h + B1 - 1) / B1; bj++)
                meta_for (int ti = 0; ti < B0; ti++)
                    meta_for (int tj = 0; tj < B1; tj++) {
                        int i = bi * B0 + ti, j = bj * B1 + tj;
                        if (i < w && j < h)
                            out[i][j] = y1[i][j] + y2[i][j];
                    }
    }
}
