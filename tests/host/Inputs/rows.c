#include <metafork.h>
#include <stdio.h>

static void rows(int n, int B, int p, int q, float *restrict b)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < q; k++)
                    b[(i * B + j) * p + k] += 1;
    }
}

int main(void)
{
    static float b[64];
    rows(8, 2, 3, 4, b);
    printf("%g %g\n", b[0], b[3]);
    return 0;
}
