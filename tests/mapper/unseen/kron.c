// RUN: %treefork verify %s --set ma=2,na=3,mb=2,nb=4,n=17 --set ma=1,na=1,mb=1,nb=1,n=2 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Products of matrices that are parts of a greater one; Toeplitz and Hilbert matrices. Plain C, as a new user wrote it.
void kron(int ma, int na, int mb, int nb, const int a[restrict ma][na], const int b[restrict mb][nb], long c[restrict ma * mb][na * nb])
{
#pragma scop
    for (int i = 0; i < ma; i++)
        for (int j = 0; j < na; j++)
            for (int k = 0; k < mb; k++)
                for (int l = 0; l < nb; l++)
                    c[i * mb + k][j * nb + l] = (long)a[i][j] * b[k][l];
#pragma endscop
}
/* Toeplitz matrix times vector, the matrix by its 2 n - 1 numbers. */
void toeplitz(int n, const float t[2 * n - 1], const float x[n], float y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < n; j++)
            s += t[i - j + n - 1] * x[j];
        y[i] = s;
    }
#pragma endscop
}
void hilbert(int n, double h[n][n]) {
#pragma scop
    for (int i = 0; i < n; ++i) for (int j = 0; j <= i; ++j) h[i][j] = h[j][i] = 1.0 / (i + j + 1);
#pragma endscop
}
