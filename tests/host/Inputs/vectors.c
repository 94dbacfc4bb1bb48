/* The exponentials of a vector and their sum, whose order is free; the greatest number beside exponentials, which has none. */
#include <math.h>
float vectors_sum(int n, const float *restrict x, float *restrict y)
{
    float s = 0;
    for (int i = 0; i < n; i++) {
        y[i] = expf(x[i]);
        s += y[i];
    }
    return s;
}
float vectors_most(int n, const float *restrict x, float *restrict y)
{
    float most = -1e30f;
    for (int i = 0; i < n; i++) {
        y[i] = expf(x[i]);
        if (x[i] > most)
            most = x[i];
    }
    return most;
}
