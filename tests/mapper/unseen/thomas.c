// RUN: %treefork verify %s --set n=9,systems=7 --set n=2,systems=1 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Tridiagonal systems, one per column. Plain C, as a new user wrote it.
/* Tridiagonal systems, one per column, the same matrix. */
void thomas(int n, int systems, const double lo[n], const double di[n], const double up[n], double x[n][systems], double cp[n])
{
#pragma scop
    cp[0] = up[0] / di[0];
    for (int i = 1; i < n; i++)
        cp[i] = up[i] / (di[i] - lo[i] * cp[i - 1]);
    for (int s = 0; s < systems; s++) {
        x[0][s] /= di[0];
        for (int i = 1; i < n; i++)
            x[i][s] = (x[i][s] - lo[i] * x[i - 1][s]) / (di[i] - lo[i] * cp[i - 1]);
        for (int i = n - 2; i >= 0; i--)
            x[i][s] -= cp[i] * x[i + 1][s];
    }
#pragma endscop
}
