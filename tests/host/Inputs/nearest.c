/* Nearest centres: the mapper gives each distance memory of its own where the device has many threads. */
#include <stdio.h>

static void nearest(int n, int k, const float x[n][4], const float centre[k][4], int *best)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int b = 0;
        float least = 1e30f;
        for (int c = 0; c < k; c++) {
            float distance = 0;
            for (int d = 0; d < 4; d++)
                distance += (x[i][d] - centre[c][d]) * (x[i][d] - centre[c][d]);
            if (distance < least) {
                least = distance;
                b = c;
            }
        }
        best[i] = b;
    }
#pragma endscop
}

int main(void)
{
    enum { N = 500, K = 8 };
    static float x[N][4], centre[K][4];
    static int best[N];
    int wrong = 0;
    for (int i = 0; i < N * 4; i++)
        x[i / 4][i % 4] = (float)(i / 4 % K) + 0.01f * (float)(i % 7);
    for (int i = 0; i < K * 4; i++)
        centre[i / 4][i % 4] = (float)(i / 4);
    nearest(N, K, (const float(*)[4])x, (const float(*)[4])centre, best);
    for (int i = 0; i < N; i++)
        wrong += best[i] != i % K;
    printf("%d wrong\n", wrong);
    return 0;
}
