/* Sums on a device with members, run twice each: a digest of the results, and the bytes that were
   copied in both runs: from the host, between members, home. */
#include "plain_dot.tf.h"
#include "sums_axes.tf.h"
#include "sums_strips.tf.h"
#include <stdio.h>
#include <string.h>
#include <treefork.h>

enum { N = 100000, M = 300, COLUMNS = 40, LAYERS = 9 };

static float x[N], y[N], result[3];
static double a[M][COLUMNS], v[COLUMNS], t[M], sum[COLUMNS];
static float row[M], column[COLUMNS], z[M][COLUMNS], b[M][COLUMNS], least[COLUMNS];
static double all[1], layer[LAYERS], wide[1], twice[M], c[M][LAYERS][COLUMNS];

static float value(int i)
{
    return (float)(i * 37 % 101 - 50) / 7;
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = value(i);
        y[i] = value(3 * i + 1);
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < COLUMNS; j++) {
            a[i][j] = value(i + 5 * j);
            b[i][j] = value(7 * i + j);
            for (int k = 0; k < LAYERS; k++)
                c[i][k][j] = value(i + j + k);
        }
    for (int j = 0; j < COLUMNS; j++)
        v[j] = value(11 * j);
}

static unsigned long long digest(const void *data, size_t bytes, unsigned long long sum)
{
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ ((const unsigned char *)data)[i]) * 1099511628211ull;
    return sum;
}

static void run_dot(int round)
{
    result[round] = dot(N, x, y);
}

static void run_strips(int round)
{
    (void)round;
    atax(M, COLUMNS, 32, a, v, t, sum);
}

static void run_axes(int round)
{
    (void)round;
    axes(M, COLUMNS, LAYERS, 8, 4, row, column, all, layer, wide, twice, least, z, b, c);
}

static void report(const char *name, void (*run)(int round))
{
    struct treefork_device *device = treefork_default();
    struct treefork_statistics old = treefork_statistics(device), now;
    struct treefork_exchanged before = treefork_exchanged(device), after;
    unsigned long long bits = 14695981039346656037ull;
    fill();
    for (int round = 0; round < 2; round++)
        run(round);
    treefork_release(device, NULL);
    now = treefork_statistics(device);
    after = treefork_exchanged(device);
    bits = digest(result, sizeof result, digest(t, sizeof t, digest(sum, sizeof sum, bits)));
    bits = digest(row, sizeof row, digest(column, sizeof column, digest(all, sizeof all, bits)));
    bits = digest(layer, sizeof layer, digest(wide, sizeof wide, digest(z, sizeof z, bits)));
    bits = digest(twice, sizeof twice, digest(least, sizeof least, bits));
    printf("%s, %llx, %d members: %llu bytes from the host, %llu between, %llu home\n", name, bits,
           after.members, (unsigned long long)(now.bytes_to_device - old.bytes_to_device),
           (unsigned long long)(after.bytes - before.bytes),
           (unsigned long long)(now.bytes_to_host - old.bytes_to_host));
}

int main(void)
{
    report("dot", run_dot);
    report("strips", run_strips);
    report("axes", run_axes);
    return 0;
}
