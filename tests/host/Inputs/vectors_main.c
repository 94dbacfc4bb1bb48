/* How far the exponentials lie from those of the C library, in units of the last place; whether those beside an exact sum are these. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 10007 };
float vectors_sum(int n, const float *restrict x, float *restrict y);
float vectors_most(int n, const float *restrict x, float *restrict y);
int main(void)
{
    static float x[N], y[N];
    double far = 0, sum = 0;
    int other = 0;
    for (int i = 0; i < N; i++)
        x[i] = (float)(i * 37 % 1999) / 50 - 20;
    double s = vectors_sum(N, x, y);
    for (int i = 0; i < N; i++) {
        float (*volatile library)(float) = expf;
        double e = library(x[i]), distance = fabs(y[i] - e) / (nextafterf((float)e, 1e30f) - (float)e);
        far = distance > far ? distance : far;
        sum += y[i];
    }
    float most = vectors_most(N, x, y);
    for (int i = 0; i < N; i++) {
        float (*volatile library)(float) = expf;
        other += y[i] != library(x[i]);
    }
    printf("%s, sum %s, greatest %g beside %d others\n", far > 4 ? "far" : far > 0 ? "near" : "equal",
           fabs(s - sum) < 1e-4 * sum ? "right" : "wrong", most, other);
    return 0;
}
