/* Function heads: old style, typedefs in arguments and result, long long beside long, void of its
   own name, prototypes in scope when the header is included. */
#include <metafork.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __clang__
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#pragma clang diagnostic ignored "-Wdeprecated-non-prototype"
#pragma clang diagnostic ignored "-Wstrict-prototypes"
#endif

typedef double real;
typedef unsigned long long word;
typedef void nothing;

extern nothing hash(int n, int B, const word keys[n], word *restrict out);
real norm(const int n, int B, real x[n], int64_t *counts);
#ifdef GENERATED
#include "signatures.tf.h"
#endif

nothing hash(int n, int B, const word keys[n], word *restrict out)
{
    int dim = (n + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    out[p] = (keys[p] ^ keys[p] >> 33) * 0xff51afd7ed558ccdULL;
            }
    }
}

real norm(const int n, int B, real x[n], int64_t *counts)
{
    real most = 0;
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < n) {
                    x[i * B + j] = x[i * B + j] < 0 ? -x[i * B + j] : x[i * B + j];
                    counts[i * B + j] += 1;
                }
    }
    for (int i = 0; i < n; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}

static int old(n, B, v)
    int n; int B; /* old style; with a comment */
    int *v;
{
    int dim = n / B;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                v[i * B + j] += i;
    }
    return v[n - 1];
}

int main(void)
{
    enum { N = 77 };
    word keys[N], out[N], sum = 0;
    real x[N];
    int64_t counts[N] = {0};
    int v[N];
    for (int i = 0; i < N; i++) {
        keys[i] = (word)i * 0x9e3779b97f4a7c15ULL;
        x[i] = i % 2 ? -i : i;
        v[i] = i;
    }
    hash(N, 16, keys, out);
#ifdef GENERATED
    real best = 0;
    int status = norm_auto(N, x, counts, &best);
    printf("%d %g\n", status, best);
#else
    printf("0 %g\n", norm(N, 8, x, counts));
#endif
    for (int i = 0; i < N; i++)
        sum += out[i] + (word)counts[i];
    printf("%llu %d\n", sum, old(N, 11, v));
    return 0;
}
