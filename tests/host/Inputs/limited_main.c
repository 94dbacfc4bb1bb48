/* A choice that was made before a limit is not taken after it. */
#include "matadd.tf.h"
#include <stdio.h>
#include <stdlib.h>
#include <treefork.h>

enum { N = 64 };

static int launches(void)
{
    return (int)treefork_statistics(treefork_default()).launches;
}

int main(void)
{
    static int a[N][N], b[N][N], c[N][N];
    int wrong = 0;
    for (int limit = 64; limit >= 1; limit /= 8) {
        int before = launches();
        if (treefork_limit(treefork_default(), TREEFORK_T_B, limit) != TREEFORK_OK)
            return 1;
        for (int i = 0; i < N * N; i++)
            a[i / N][i % N] = i * limit;
        matadd_auto(N, a, b, c);
        for (int i = 0; i < N * N; i++)
            wrong += c[i / N][i % N] != i * limit;
        printf("%d threads: %d launches\n", limit, launches() - before);
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
