// SET: n=35,B=8,rate=0.02,years=1.5
// SET: n=1,B=1,rate=0,years=1
// SET: n=200,B=64,rate=0.05,years=0.25
// RUN: %treefork verify %s --set n=35,B=8,rate=0.02,years=1.5 --set n=1,B=1,rate=0,years=1 --set n=200,B=64,rate=0.05,years=0.25 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Prices of options after Black and Scholes; the distribution by a polynomial in a helper.
#include <math.h>
#include <metafork.h>
static inline float cumulative(float d)
{
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float poly = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228f * expf(-0.5f * d * d) * poly;
    return d > 0 ? 1.0f - tail : tail;
}
void options(int n, int B, float rate, float years, const float *spot, const float *strike, float *call, float *put)
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    float s = 30.0f + fabsf(spot[p]), x = 30.0f + fabsf(strike[p]), vol = 0.3f;
                    float root = vol * sqrtf(years);
                    float d1 = (logf(s / x) + (rate + 0.5f * vol * vol) * years) / root;
                    float d2 = d1 - root;
                    float discount = x * expf(-rate * years);
                    call[p] = s * cumulative(d1) - discount * cumulative(d2);
                    put[p] = discount * cumulative(-d2) - s * cumulative(-d1);
                }
            }
    }
}
