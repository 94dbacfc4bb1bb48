#include "gradients.tf.h"
#include "treefork.h"
#include <stdio.h>
enum { N = 1000, ROUNDS = 50 };
int main(void)
{
    static double x[N], r[N], p[N], q[N];
    for (int i = 0; i < N; i++)
        p[i] = r[i] = 1 + i % 3;
    double rest = gradients(N, ROUNDS, x, r, p, q);
    struct treefork_statistics s = treefork_statistics(treefork_default());
    printf("%d launches, rest %.2e\n", (int)s.launches, rest);
    /* 101 sums of 8 bytes; all vectors in but q, which is overwritten, and all four out */
    printf("in %d of 3 vectors and 101 scalars, out %d of 4 vectors and 101 scalars\n",
           (int)(s.bytes_to_device - 3 * sizeof x), (int)(s.bytes_to_host - 4 * sizeof x));
    return 0;
}
