// RUN: %treefork verify %s --set n=33,w=4 --set n=3,w=7 --set n=1,w=0 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A symmetric band matrix by diagonals, and a packed triangle. Plain C, as a new user wrote it.
/* A symmetric band matrix (lower half stored by diagonals) times a vector. */
void band(int n, int w, const double d[restrict w + 1][n], const double x[restrict n], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = d[0][i] * x[i];
        for (int k = 1; k <= w; k++) {
            if (i + k < n)
                s += d[k][i + k] * x[i + k];
            if (i - k >= 0)
                s += d[k][i] * x[i - k];
        }
        y[i] = s;
    }
#pragma endscop
}
/* Packed lower triangle times vector; row i begins at i (i + 1) / 2. */
void packed(int n, const double *restrict a, const double *restrict x, double *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j <= i; j++)
            y[i] += a[i * (i + 1) / 2 + j] * x[j];
    }
#pragma endscop
}
