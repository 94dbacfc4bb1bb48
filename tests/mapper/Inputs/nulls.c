/* Pointers that may be NULL, which loops ask about. */
#include <stdlib.h>

void forward(float *out, const float *inp, const float *weight, const float *bias, int B, int C,
             int OC)
{
    for (int b = 0; b < B; b++)
        for (int o = 0; o < OC; o++) {
            float val = (bias != NULL) ? bias[o] : 0.5f;
            for (int i = 0; i < C; i++)
                val += inp[b * C + i] * weight[o * C + i];
            out[b * OC + o] = val;
        }
}

void backward(float *dbias, float *gain, const float *dout, int B, int OC)
{
    for (int o = 0; o < OC; o++)
        for (int b = 0; b < B; b++) {
            if (NULL != dbias && b > 2)
                dbias[o] += dout[b * OC + o];
            if (gain)
                gain[o] += 2;
        }
}

struct layer {
    float *mask;
    int n;
};

void masked(struct layer *l, float *restrict x)
{
    const float *mask = l->mask;
    for (int i = 0; i < l->n; i++)
        if (!mask || mask[i] > 0)
            x[i] *= 2;
}

void moved(float *p, float *restrict x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = p == 0 ? 1 : x[i] + i;
    p = x;
    for (int i = 0; i < n; i++)
        x[i] += p != 0;
}

/* A member has the name that the question has. */
struct gains {
    int given;
};

void named(const struct gains *p, float *restrict x, int n)
{
    for (int i = 0; i < n; i++)
        if (p)
            x[i] += p->given;
}
