/* Deriche's recursive smoothing: forth and back along each row, then along each column */
#include <math.h>

void deriche(int w, int h, float alpha, const float in[w][h], float out[restrict w][h], float y1[restrict w][h],
             float y2[restrict w][h])
{
    float xm1, tm1, ym1, ym2, xp1, xp2, tp1, tp2, yp1, yp2;
    float k, a1, a2, a3, a4, b1, b2, c1;
#pragma scop
    k = (1.0f - expf(-alpha)) * (1.0f - expf(-alpha)) / (1.0f + 2.0f * alpha * expf(-alpha) - expf(2.0f * alpha));
    a1 = k;
    a2 = k * expf(-alpha) * (alpha - 1.0f);
    a3 = k * expf(-alpha) * (alpha + 1.0f);
    a4 = -k * expf(-2.0f * alpha);
    b1 = powf(2.0f, -alpha);
    b2 = -expf(-2.0f * alpha);
    c1 = 1;
    for (int i = 0; i < w; i++) {
        ym1 = 0.0f;
        ym2 = 0.0f;
        xm1 = 0.0f;
        for (int j = 0; j < h; j++) {
            y1[i][j] = a1 * in[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
            xm1 = in[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (int i = 0; i < w; i++) {
        yp1 = 0.0f;
        yp2 = 0.0f;
        xp1 = 0.0f;
        xp2 = 0.0f;
        for (int j = h - 1; j >= 0; j--) {
            y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
            xp2 = xp1;
            xp1 = in[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            out[i][j] = c1 * (y1[i][j] + y2[i][j]);
    for (int j = 0; j < h; j++) {
        tm1 = 0.0f;
        ym1 = 0.0f;
        ym2 = 0.0f;
        for (int i = 0; i < w; i++) {
            y1[i][j] = a1 * out[i][j] + a2 * tm1 + b1 * ym1 + b2 * ym2;
            tm1 = out[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (int j = 0; j < h; j++) {
        tp1 = 0.0f;
        tp2 = 0.0f;
        yp1 = 0.0f;
        yp2 = 0.0f;
        for (int i = w - 1; i >= 0; i--) {
            y2[i][j] = a3 * tp1 + a4 * tp2 + b1 * yp1 + b2 * yp2;
            tp2 = tp1;
            tp1 = out[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            out[i][j] = c1 * (y1[i][j] + y2[i][j]);
#pragma endscop
}
