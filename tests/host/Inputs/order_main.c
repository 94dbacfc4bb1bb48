#include "order.tf.h"
#include "treefork.h"
#include <stdio.h>
#include <string.h>
enum { N = 5000, M = 61, Q = 70 };
static unsigned bits(float value)
{
    unsigned result;
    memcpy(&result, &value, sizeof result);
    return result;
}
static unsigned long long wide(double value)
{
    unsigned long long result;
    memcpy(&result, &value, sizeof result);
    return result;
}
int main(void)
{
    static float x[N], y[N], z[N + 1];
    static double a[M * Q], sums[Q];
    int positive;
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i * 37 % 101) / 97;
        y[i] = (float)(i * 53 % 89) / 83 - 0.4f;
    }
    for (int i = 0; i < M * Q; i++)
        a[i] = (i * 29 % 77) / 7.0 - 5;
    for (int n = 0; n <= N; n = 3 * n + 1) {
        float s = order_dot(n, x, y, z, &positive);
        printf("%d %08x %d\n", n, bits(s), positive);
    }
    for (int k = 0; k < 2; k++) {
        double both = order_columns(M, Q, a, sums, -1e9);
        printf("%016llx %016llx\n", wide(both), wide(sums[k * 11]));
    }
    /* x lies in z: neither a launch nor another order may be. */
    memcpy(z, x, sizeof x);
    float s = order_dot(100, z, y, z + 1, &positive);
    fprintf(stderr, "overlap %08x %.3f\n", bits(s), z[100]);
    return 0;
}
