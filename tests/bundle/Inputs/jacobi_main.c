/* Calls the generated jacobi1d and compares it with the recurrence written out. */
#include <stdio.h>
#include <stdlib.h>

void jacobi1d(int T, int N, int s, int B, int a[]);

int main(void)
{
    enum { T = 6, N = 1026, S = 4, B = 32 };
    int *a = malloc(2 * N * sizeof *a), *b = malloc(2 * N * sizeof *b), wrong = 0;
    if (!a || !b)
        return 2;
    for (int i = 0; i < 2 * N; i++)
        a[i] = b[i] = i * 37 % 1001;
    jacobi1d(T, N, S, B, a);
    for (int t = 0; t < T; t++) {
        int *from = t % 2 ? b + N : b, *to = t % 2 ? b : b + N;
        for (int p = 1; p < N - 1; p++)
            to[p] = (from[p - 1] + from[p] + from[p + 1]) / 3;
    }
    for (int i = 0; i < 2 * N; i++)
        wrong += a[i] != b[i];
    printf("jacobi1d: %d of %d wrong\n", wrong, 2 * N);
    free(a);
    free(b);
    return wrong != 0;
}
