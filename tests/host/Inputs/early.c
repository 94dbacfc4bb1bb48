/* early N CALLS: calls a small function, and compares with the same in plain C. */
#include <metafork.h>
#include <stdio.h>
#include <stdlib.h>

void halves(int n, int B, int a[n], int b[n])
{
    int blocks = (n + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    a[p] = a[p] / 2 + b[p];
            }
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), calls = atoi(argv[2]), wrong = 0;
    int *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b), *want = calloc(n, sizeof *want);
    (void)argc;
    for (int p = 0; p < n; p++)
        a[p] = want[p] = p % 1000;
    for (int call = 0; call < calls; call++) {
        for (int p = 0; p < n; p++)
            b[p] = (p + call) % 7;
        for (int p = 0; p < n; p++)
            want[p] = want[p] / 2 + b[p];
        halves(n, 64, a, b);
    }
    for (int p = 0; p < n; p++)
        wrong += a[p] != want[p];
    printf("%d wrong\n", wrong);
    free(a);
    free(b);
    free(want);
    return wrong != 0;
}
