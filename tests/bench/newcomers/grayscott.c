#include "clock.h"
#define N 400
#define LAP(a, i, j) (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4.0 * a[i][j])
#define DU 0.16
#define DV 0.08
double u[2][N][N], v[2][N][N];
void react(int steps, double F, double k)
{
    int s, i, j, cur = 0;
    for (s = 0; s < steps; s++) {
        int nxt = 1 - cur;
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++) {
                double uvv = u[cur][i][j] * v[cur][i][j] * v[cur][i][j];
                u[nxt][i][j] = u[cur][i][j] + DU * LAP(u[cur], i, j) - uvv + F * (1 - u[cur][i][j]);
                v[nxt][i][j] = v[cur][i][j] + DV * LAP(v[cur], i, j) + uvv - (F + k) * v[cur][i][j];
            }
        cur = nxt;
    }
}
int main(void)
{
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { u[0][i][j] = u[1][i][j] = 1; v[0][i][j] = v[1][i][j] = (i / 20 + j / 20) % 5 ? 0 : .25; }
    for (int r = 0; r < 5; r++) { begin(); react(20, .035, .065); end(); }
    printf("%llx\n", checksum(u, sizeof u));
    report();
}
