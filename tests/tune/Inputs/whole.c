#include <metafork.h>
#include <stdio.h>

/* A program that is main alone. */
static float a[1000];

int main(void)
{
    const int B = meta_tunable(64), n = 1000, dim = (n + B - 1) / B;
    a[999] = 3;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int v = 0; v < B; v++) {
                int p = i * B + v;
                if (p < n)
                    a[p] = 2 * a[p] + 1;
            }
    }
    printf("%g\n", (double)a[999]);
    return 0;
}
