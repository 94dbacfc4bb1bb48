// Floating arrays that a finish sets are compared with the serial program, as far as the sums that it reads may lie apart: a mean
// square that cancels, a sum that is divided by little, numbers of great magnitude.
// RUN: %treefork verify --all --reassociate %s --set m=700 --set m=1 --set m=0 --witness threads,cpu | FileCheck %s
// CHECK-NOT: FAILED
// CHECK: {{[1-9][0-9]*}} verified, 0 failed
void spread(int m, const float a[7][m], float s[7], double mean[7], float q[7])
{
    for (int i = 0; i < 7; i++) {
        s[i] = 0;
        q[i] = 1000;
        for (int j = 0; j < m; j++) {
            s[i] += a[i][j] + 100;
            q[i] += (a[i][j] + 100) * (a[i][j] + 100);
        }
        mean[i] = q[i] / m - (s[i] / m) * (s[i] / m);
        q[i] /= 1e-3f;
    }
}
