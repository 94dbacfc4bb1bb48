#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void layer(int batch, int kernels, int channels, int h, int w, const float *in, const float *filter, float *out);
void layer_source(int batch, int kernels, int channels, int h, int w, const float *in, const float *filter, float *out);
void turned(int n, int *from, int *to);
void turned_source(int n, int *from, int *to);
void inner(int n, int lo, const int *from, int *to);
void inner_source(int n, int lo, const int *from, int *to);

enum { MOST = 8192 };

int main(void)
{
    static const int sizes[][5] = {{2, 3, 2, 5, 7}, {1, 1, 1, 1, 1}, {3, 2, 1, 0, 4}, {0, 2, 3, 4, 5}, {1, 5, 0, 3, 9}};
    static float in[MOST], filter[MOST], out[2][MOST];
    static int from[MOST], to[2][MOST];
    int wrong = 0;
    for (int i = 0; i < MOST; i++) {
        in[i] = (float)(i % 23) / 7;
        filter[i] = (float)(i % 11) / 3;
        from[i] = i * i;
    }
    for (int i = 0; i < 5; i++) {
        const int *s = sizes[i];
        memset(out, 1, sizeof out);
        layer(s[0], s[1], s[2], s[3], s[4], in, filter, out[0]);
        layer_source(s[0], s[1], s[2], s[3], s[4], in, filter, out[1]);
        wrong += memcmp(out[0], out[1], sizeof out[0]) != 0;
        memset(to, 1, sizeof to);
        turned(s[4] % 8, from, to[0]);
        turned_source(s[4] % 8, from, to[1]);
        wrong += memcmp(to[0], to[1], sizeof to[0]) != 0;
        memset(to, 1, sizeof to);
        inner(s[2] * 2, s[1], from, to[0]);
        inner_source(s[2] * 2, s[1], from, to[1]);
        wrong += memcmp(to[0], to[1], sizeof to[0]) != 0;
    }
    printf("%d wrong\n", wrong);
}
