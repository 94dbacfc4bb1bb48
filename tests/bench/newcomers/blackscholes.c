#include <math.h>
#include "clock.h"
typedef float fptype;
#define inv_sqrt_2xPI 0.39894228040143270286f
static fptype CNDF(fptype InputX)
{
    int sign;
    fptype OutputX, xInput, xNPrimeofX, expValues, xK2, xK2_2, xK2_3, xK2_4, xK2_5, xLocal;
    if (InputX < 0.0f) { InputX = -InputX; sign = 1; } else sign = 0;
    xInput = InputX;
    expValues = expf(-0.5f * InputX * InputX);
    xNPrimeofX = expValues * inv_sqrt_2xPI;
    xK2 = 1.0f / (1.0f + 0.2316419f * xInput);
    xK2_2 = xK2 * xK2; xK2_3 = xK2_2 * xK2; xK2_4 = xK2_3 * xK2; xK2_5 = xK2_4 * xK2;
    xLocal = xK2 * 0.319381530f + xK2_2 * -0.356563782f + xK2_3 * 1.781477937f + xK2_4 * -1.821255978f + xK2_5 * 1.330274429f;
    OutputX = 1.0f - xLocal * xNPrimeofX;
    if (sign) OutputX = 1.0f - OutputX;
    return OutputX;
}
fptype price_one(fptype s, fptype k, fptype r, fptype v, fptype t, int put)
{
    fptype sq = sqrtf(t), d1 = (logf(s / k) + (r + v * v * 0.5f) * t) / (v * sq), d2 = d1 - v * sq;
    fptype n1 = CNDF(d1), n2 = CNDF(d2), fv = k * expf(-r * t);
    if (put == 0) return s * n1 - fv * n2;
    return fv * (1.0f - n2) - s * (1.0f - n1);
}
void price_all(int n, const fptype *s, const fptype *k, const fptype *r, const fptype *v, const fptype *t, const int *type, fptype *out)
{
    for (int i = 0; i < n; i++)
        out[i] = price_one(s[i], k[i], r[i], v[i], t[i], type[i]);
}
#define N 200000
static fptype S[N], K[N], R[N], V[N], T[N], P[N]; static int TY[N];
int main(void)
{
    for (int i = 0; i < N; i++) { S[i] = 80 + i % 40; K[i] = 85 + i % 30; R[i] = .02f; V[i] = .1f + i % 5 * .1f; T[i] = .25f + i % 8 * .25f; TY[i] = i & 1; }
    for (int r = 0; r < 7; r++) { begin(); price_all(N, S, K, R, V, T, TY, P); end(); }
    double sum = 0; for (int i = 0; i < N; i++) sum += P[i];
    printf("%.1f\n", sum);
    report();
}
