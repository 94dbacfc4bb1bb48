#include "clock.h"
#include <stdint.h>
#define PATHS 20000
#define DAYS 250
uint32_t seeds[PATHS]; float last_[PATHS], peak[PATHS];
void simulate(float s0, float drift, float vol)
{
    int p;
    for (p = 0; p < PATHS; p++)
    {
        uint32_t x = seeds[p];
        float s = s0, m = s0;
        int d = 0;
        while (d < DAYS)
        {
            float g = 0.0f;
            int k;
            for (k = 0; k < 4; k++) {
                x ^= x << 13; x ^= x >> 17; x ^= x << 5;
                g += (float)(x >> 8) * (1.0f / 16777216.0f) - 0.5f;
            }
            s = s * (1.0f + drift + vol * g);
            if (s > m) m = s;
            d++;
        }
        last_[p] = s; peak[p] = m;
    }
}
int main(void)
{
    for (int i = 0; i < PATHS; i++) seeds[i] = 2463534242u + 977u * i;
    for (int r = 0; r < 5; r++) { begin(); simulate(100.f, .0002f, .02f); end(); }
    printf("%llx %llx\n", checksum(last_, sizeof last_), checksum(peak, sizeof peak));
    report();
}
