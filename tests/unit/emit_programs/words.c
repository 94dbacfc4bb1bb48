/* Names that a device language or the generated code also uses, every scalar type, helpers,
   libm. */
#include <math.h>
#include <metafork.h>
#include <stdbool.h>
#include <stdio.h>

#define thread_count 8
#define error 1

static inline float half(float this) { return this * 0.5f; }

void kernel(int block, int threads, float *restrict global, const float *restrict local,
            signed char *restrict shared)
{
    int items = (block + threads - 1) / threads;
    meta_schedule {
        meta_for (int class = 0; class < items; class++)
            meta_for (int template = 0; template < threads; template++) {
                int rest = class * threads + template;
                if (rest < block) {
                    bool new = rest % 3 == 0;
                    global[rest] =
                        half(local[rest]) + sqrtf(fabsf(local[rest])) + (new ? 0.1f : -0.1f);
                    shared[rest] = (signed char)(rest * 7 + new);
                }
            }
    }
}

void types(int n, int B, unsigned long big, unsigned int word, short narrow, int flag, double scale,
           long *restrict out, unsigned short *restrict small, double *restrict real)
{
    int machine = (n + B - 1) / B;
    meta_schedule {
        meta_for (int trace = 0; trace < machine; trace++)
            meta_for (int j = 0; j < B; j++) {
                int p = trace * B + j;
                if (p < n) {
                    unsigned int u = word * (unsigned int)p + 4000000000u;
                    out[p] = (long)(big >> (p % 64)) + (long)u - narrow + flag;
                    small[p] = (unsigned short)(u ^ (unsigned int)p << 3);
                    real[p] = scale / (p + 1) + (double)(long)big + ~narrow;
                }
            }
    }
}

int main(void)
{
    enum { N = 1000 };
    static float a[N], b[N];
    static signed char c[N];
    static long out[N];
    static unsigned short small[N];
    static double real[N];
    double total = 0, sums[3] = {0, 0, 0};
    for (int i = 0; i < N; i++)
        b[i] = (float)(i % 37) - 11.25f;
    kernel(N, thread_count, a, b, c);
    types(N, 33, 0xfedcba9876543210ul, 2654435769u, -300, 1, 0.1, out, small, real);
    for (int i = 0; i < N; i++) {
        total += a[i] + c[i];
        sums[0] += (double)out[i];
        sums[1] += small[i];
        sums[2] += real[i];
    }
    printf("%.9g %.17g %.17g %.17g %d\n", total, sums[0], sums[1], sums[2], error);
    return 0;
}
