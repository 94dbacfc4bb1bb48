/* A sum that a macro writes, of names that the mapped text changes. */
#include <stdio.h>
#define N 400
#define BESIDE(a, i, j) (a[i - 1][j] + a[i + 1][j])
double u[2][N][N];

void step(int steps, double F)
{
    int s, i, j, cur = 0;
    double square;
#pragma scop
    for (s = 0; s < steps; s++) {
        int nxt = 1 - cur;
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++) {
                square = u[cur][i][j] * u[cur][i][j] * 0.01;
                u[nxt][i][j] = F * BESIDE(u[cur], i, j) - square;
            }
        cur = nxt;
    }
#pragma endscop
}

int main(void)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            u[0][i][j] = (i * 7 + j * 3) % 5;
    step(3, 0.5);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += u[1][i][j] * (i + 1) - u[0][i][j] * j;
    printf("%.17g\n", sum);
    return 0;
}
