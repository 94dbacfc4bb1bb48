// SET: n=1000,k=3,B=64
// SET: n=77,k=40,B=16
// RUN: %treefork verify %s --set n=1000,k=3,B=64 --set n=77,k=40,B=16 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Indices clamped to the row, reflected at its begin, turned round by a flag, doubled or not by the data.
#include <metafork.h>
void clamped(int n, int k, int B, const int flag[n], const float a[2 * n], float b[n])
{
    int blocks = (n + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    int low = p - k < 0 ? 0 : p - k, high = p + k > n - 1 ? n - 1 : p + k;
                    int back = p - k < 0 ? k - p : p - k;
                    int turned = flag[p] > 1 ? n - 1 - p : p;
                    b[p] = a[low] + 2 * a[high] + 3 * a[back % n] + 4 * a[turned] +
                           5 * a[flag[p] > 2 ? p : 2 * p] + 6 * a[n + (k > 5 ? low : high)];
                }
            }
    }
}
