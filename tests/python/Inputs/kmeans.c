#include <float.h>

/* The nearest of k centres for each of n points. */
void nearest(int n, int k, int d, const float x[n][d], const float centre[k][d], int *label)
{
    for (int i = 0; i < n; i++) {
        float best = FLT_MAX;
        int which = 0;
        for (int c = 0; c < k; c++) {
            float s = 0;
            for (int j = 0; j < d; j++) {
                float t = x[i][j] - centre[c][j];
                s += t * t;
            }
            if (s < best) {
                best = s;
                which = c;
            }
        }
        label[i] = which;
    }
}
