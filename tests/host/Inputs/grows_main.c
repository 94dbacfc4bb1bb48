/* Runs that repeat and runs that do not, against the same in plain C. */
#include "grows.tf.h"
#include <stdio.h>
#include <string.h>
#include <treefork.h>

static void serial(int n, int rounds, int mode, int *a)
{
    for (int t = 0; t < rounds; t++)
        for (int k = 1; k <= n; k++)
            for (int p = 0; p < k; p++)
                a[p] = (int)((unsigned)a[p] * 3u) + t * 7 + mode;
}

int main(void)
{
    static const struct { int n, rounds, mode, block; } runs[] = {{5, 3, 1, 2}, {5, 3, 1, 2}, {5, 3, 2, 2}, {7, 2, 2, 2}, {7, 2, 2, 4}, {5, 3, 1, 2}};
    int a[8], b[8], wrong = 0;
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
        grows(runs[r].n, runs[r].rounds, runs[r].mode, runs[r].block, a);
        serial(runs[r].n, runs[r].rounds, runs[r].mode, b);
        wrong += memcmp(a, b, sizeof a) != 0;
    }
    /* Limits that change are heeded by the next run. */
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    grows(1, 1, 1, 2, a);
    treefork_limit(treefork_default(), TREEFORK_T_B, 1);
    grows(1, 1, 1, 2, a);
    serial(1, 1, 1, b);
    serial(1, 1, 1, b);
    wrong += memcmp(a, b, sizeof a) != 0;
    printf("%d wrong, %d launches\n", wrong, (int)treefork_statistics(treefork_default()).launches);
    return wrong != 0;
}
