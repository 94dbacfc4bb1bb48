#include <stdio.h>
#define N 8

void polybench_timer_start(void);
void polybench_timer_stop(void);

static void chain(double a[N])
{
    int i;

#pragma scop
    for (i = 1; i < N; i++)
        a[i] = a[i - 1] + 1;
#pragma endscop
}

int main(void)
{
    double a[N] = {1};
    polybench_timer_start();
    chain(a);
    polybench_timer_stop();
    fprintf(stderr, "%0.2f\n", a[N - 1]);
    return 0;
}
