// SET: n=30,s=2,B=8
// SET: n=9,s=1,B=4
// RUN: %treefork verify %s --set n=30,s=2,B=8 --set n=9,s=1,B=4 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Prices of options by exp, log, sqrt and erfc.
#include <metafork.h>
#include <math.h>
void options_price(int n, int s, int B, float rate, float volatility, const float spot[n], const float strike[n],
                   const float years[n], float call[n], float put[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + s * B - 1) / (s * B); i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n) {
                        float time = fabsf(years[p]) + 0.25f;
                        float price = fabsf(spot[p]) + 1.0f, mark = fabsf(strike[p]) + 1.0f;
                        float width = volatility * sqrtf(time);
                        float d1 = (logf(price / mark) + (rate + 0.5f * volatility * volatility) * time) / width;
                        float d2 = d1 - width;
                        float discount = expf(-rate * time);
                        float n1 = 0.5f * erfcf(-0.70710678f * d1), n2 = 0.5f * erfcf(-0.70710678f * d2);
                        call[p] = price * n1 - mark * discount * n2;
                        put[p] = mark * discount * (1.0f - n2) - price * (1.0f - n1);
                    }
                }
    }
}
