// RUN: %treefork verify %s --set n=37,rate=1,vol=1,up=2,p=1,disc=1 --set n=1,rate=0,vol=2,up=3,p=1,disc=1 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Option prices by a formula and by binomial trees with an array in each thread. Plain C, as a new user wrote it.
#include <math.h>
static float cnd(float d)
{
    const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float c = 0.39894228f * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
    return d > 0 ? 1.0f - c : c;
}
void prices(int n, float rate, float vol, const float *s, const float *x, const float *t, float *restrict call, float *restrict put)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float root = sqrtf(t[i]);
        float d1 = (s[i] / x[i] - 1 + (rate + 0.5f * vol * vol) * t[i]) / (vol * root);
        float d2 = d1 - vol * root;
        float disc = 1 - rate * t[i];
        call[i] = s[i] * cnd(d1) - x[i] * disc * cnd(d2);
        put[i] = x[i] * disc * (1 - cnd(d2)) - s[i] * (1 - cnd(d1));
    }
#pragma endscop
}
#define STEPS 64
/* Binomial trees, one per option: values of the leaves folded back. */
void binomial(int n, const double *spot, const double *strike, double up, double p, double disc, double *restrict value)
{
#pragma scop
    for (int o = 0; o < n; o++) {
        double v[STEPS + 1];
        double s = spot[o];
        for (int j = 0; j < STEPS; j++)
            s = s / up;
        for (int j = 0; j <= STEPS; j++) {
            v[j] = s > strike[o] ? s - strike[o] : 0;
            s = s * up * up;
        }
        for (int st = STEPS; st > 0; st--)
            for (int j = 0; j < st; j++)
                v[j] = disc * (p * v[j + 1] + (1 - p) * v[j]);
        value[o] = v[0];
    }
#pragma endscop
}
