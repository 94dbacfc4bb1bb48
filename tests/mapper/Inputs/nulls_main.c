#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { B = 37, C = 19, OC = 23, N = 900 };

struct layer {
    float *mask;
    int n;
};

void forward(float *out, const float *inp, const float *weight, const float *bias, int b, int c,
             int oc);
void backward(float *dbias, float *gain, const float *dout, int b, int oc);
void masked(struct layer *l, float *x);
void moved(float *p, float *x, int n);

static float *filled(int n, int step)
{
    float *x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = i * step % 17 - 3;
    return x;
}

static void show(const char *name, const float *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)x[i] * (i % 13 + 1);
    printf("%s %.17g\n", name, sum);
}

int main(void)
{
    float *out = filled(B * OC, 3), *inp = filled(B * C, 5), *weight = filled(OC * C, 7);
    float *bias = filled(OC, 2), *gain = filled(OC, 9), *mask = filled(N, 11), *x = filled(N, 4);
    for (int k = 0; k < 4; k++) {
        struct layer layer = {k & 1 ? mask : NULL, N};
        forward(out, inp, weight, k & 1 ? bias : NULL, B, C, OC);
        backward(k & 1 ? bias : NULL, k & 2 ? gain : NULL, out, B, OC);
        masked(&layer, x);
        moved(k & 1 ? inp : NULL, x, N);
        show("out", out, B * OC);
        show("bias", bias, OC);
        show("gain", gain, OC);
        show("x", x, N);
    }
    free(out);
    free(inp);
    free(weight);
    free(bias);
    free(gain);
    free(mask);
    free(x);
    return 0;
}
