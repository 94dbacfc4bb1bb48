// RUN: %treefork verify %s --set n=53,m=31 --set n=5,m=25 --set n=1,m=0 --witness %witnesses --device-runs once | FileCheck %s
// RUN: %treefork map %s | FileCheck --check-prefix=TEXT --implicit-check-not="kb {{[+]}}=" %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// TEXT: for (int k = 0; k < m; k++)
// A product that was blocked for a cache, with iterators of C89. Plain C, as a new user wrote it.
#define BS 24
static int imin(int x, int y) { return x < y ? x : y; }
void syrk_blocked(int n, int m, float alpha, const float a[restrict n][m], float c[restrict n][n])
{
    int i, j, k, ib, jb, kb;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            c[i][j] *= 0.5f;
    for (ib = 0; ib < n; ib += BS)
        for (jb = 0; jb < n; jb += BS)
            for (kb = 0; kb < m; kb += BS)
                for (i = ib; i < imin(ib + BS, n); i++)
                    for (k = kb; k < imin(kb + BS, m); k++)
                        for (j = jb; j < imin(jb + BS, n); j++)
                            c[i][j] += alpha * a[i][k] * a[j][k];
#pragma endscop
}
