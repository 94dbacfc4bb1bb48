#include "clock.h"
void wave(int n, int steps, float *prev, float *cur, float *next, float c)
{
    float *tmp;
    int t, i, j;
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                next[i * n + j] = 2 * cur[i * n + j] - prev[i * n + j] + c * (cur[(i - 1) * n + j] + cur[(i + 1) * n + j] + cur[i * n + j - 1] + cur[i * n + j + 1] - 4 * cur[i * n + j]);
        tmp = prev; prev = cur; cur = next; next = tmp;
    }
}
int main(void)
{
    int n = 600;
    float *a = calloc(n * n, 4), *b = calloc(n * n, 4), *c = calloc(n * n, 4);
    b[n / 2 * n + n / 2] = 1; a[n / 2 * n + n / 2] = 1;
    for (int r = 0; r < 5; r++) { begin(); wave(n, 21, a, b, c, .2f); end(); }
    printf("%llx %llx %llx\n", checksum(a, n * n * 4), checksum(b, n * n * 4), checksum(c, n * n * 4));
    report();
}
