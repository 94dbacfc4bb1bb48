#include <stdio.h>
#define DATA_TYPE double
#define N 8

void polybench_timer_start(void);
void polybench_timer_stop(void);

static void rows(double a[N][N])
{
    int i, j;
    DATA_TYPE sum;

#pragma scop
    for (i = 0; i < N; i++) {
        sum = i;
        for (j = 0; j < N; j++)
            sum = sum + a[i][j];
        for (j = 0; j < N; j++)
            a[i][j] = sum;
    }
#pragma endscop
}

int main(void)
{
    double a[N][N];
    for (int i = 0; i < N * N; i++)
        a[i / N][i % N] = i;
    polybench_timer_start();
    rows(a);
    polybench_timer_stop();
    for (int i = 0; i < N * N; i++)
        fprintf(stderr, "%0.2f\n", a[i / N][i % N]);
    return 0;
}
