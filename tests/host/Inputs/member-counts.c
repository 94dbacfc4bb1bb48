/* Sums of integers by atomic operations on a device with members, by the first leaves of each region,
   in two runs each: the results are those of loops. Then the bytes that one run copies. Usage:
   run LEAVES */
#include "sums_exact.tf.h"
#include "sums_histogram.tf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <treefork.h>

enum { N = 5000, M = 70, COLUMNS = 700, BLOCK = 8, RUNS = 2 };

struct results {
    unsigned count[16], parity[1], bits[3];
    int weight[16], total[2], ends[2], row[M], column[COLUMNS], y[N];
};

static unsigned char bytes[N];
static int x[N], a[M][COLUMNS];

static void data_fill(void)
{
    for (int i = 0; i < N; i++) {
        bytes[i] = (unsigned char)(i * 37 % 251);
        x[i] = i * 7919 % 10007 - 5000;
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = i * 31 - j * 17;
}

static void results_begin(struct results *r)
{
    memset(r, 0, sizeof *r);
    for (int i = 0; i < 16; i++) {
        r->weight[i] = 3 * i;
        r->count[i] = 5u * (unsigned)i;
    }
    for (int i = 0; i < 3; i++)
        r->bits[i] = ~0u << i;
    r->ends[0] = 100000;
    r->ends[1] = 100000;
}

static void count_serially(struct results *r)
{
    for (int p = 0; p < N; p++) {
        r->count[bytes[p] % 16]++;
        r->weight[bytes[p] / 16] += p;
        r->parity[0] ^= bytes[p];
    }
}

static void sum_serially(struct results *r, int n)
{
    for (int p = 0; p < n; p++) {
        r->y[p] = 3 * x[p];
        r->total[0] += r->y[p];
        r->total[1]++;
        r->ends[0] = x[p] < r->ends[0] ? x[p] : r->ends[0];
        r->ends[1] = -x[p] <= r->ends[1] ? -x[p] : r->ends[1];
    }
    for (int p = 0; p < M; p++) {
        for (int q = 0; q < n; q++) {
            r->row[p] -= a[p][q];
            r->column[q] += a[p][q];
        }
    }
    for (int i = 0; i < (M + BLOCK - 1) / BLOCK; i++)
        for (int j = 0; j < BLOCK && i * BLOCK + j < M; j++)
            r->bits[(i + j) % 3] &= ~(unsigned)(i * j);
}

/* The same on the device, once. */
static void both_run(struct results *r)
{
    histogram(N, BLOCK, r->count, r->weight, r->parity, bytes);
    sums(COLUMNS, M, BLOCK, r->total, r->bits, r->ends, r->row, r->column, x, r->y,
         (const int(*)[COLUMNS])a);
}

/* All leaves up to this one; the number of wrong results. */
static int leaves_run(int leaves, const struct results *expected)
{
    static struct results got;
    int wrong = 0;
    for (int leaf = 1; leaf <= leaves; leaf++) {
        char force[99];
        snprintf(force, sizeof force, "histogram=%d,sums=%d,sums_2=%d,sums_3=%d", leaf, leaf, leaf,
                 leaf);
        setenv("TREEFORK_FORCE", force, 1);
        results_begin(&got);
        for (int run = 0; run < RUNS; run++)
            both_run(&got);
        treefork_release(treefork_default(), NULL);
        wrong += memcmp(&got, expected, sizeof got) != 0;
    }
    return wrong;
}

/* A histogram alone, by its first leaf. */
static void bytes_print(struct results *r)
{
    struct treefork_device *device = treefork_default();
    struct treefork_statistics old = treefork_statistics(device), now;
    setenv("TREEFORK_FORCE", "histogram=1", 1);
    histogram(N, BLOCK, r->count, r->weight, r->parity, bytes);
    treefork_release(device, NULL);
    now = treefork_statistics(device);
    printf("a histogram: %llu bytes from the host, %llu between, %llu home\n",
           (unsigned long long)(now.bytes_to_device - old.bytes_to_device),
           (unsigned long long)treefork_exchanged(device).bytes,
           (unsigned long long)(now.bytes_to_host - old.bytes_to_host));
}

int main(int argc, char **argv)
{
    static struct results expected;
    data_fill();
    results_begin(&expected);
    for (int run = 0; run < RUNS; run++) {
        count_serially(&expected);
        sum_serially(&expected, COLUMNS);
    }
    int wrong = leaves_run(argc > 1 ? atoi(argv[1]) : 1, &expected);
    printf("%d members, %llu launches, %d wrong\n", treefork_exchanged(treefork_default()).members,
           (unsigned long long)treefork_statistics(treefork_default()).launches, wrong);
    bytes_print(&expected);
    return wrong != 0;
}
