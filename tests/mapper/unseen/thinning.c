// RUN: %treefork verify %s --set n=101 --set n=7 --set n=1 --set n=0 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Points that are left out by `continue`, in several ways. Plain C, as a new user wrote it.
void thin(int n, float low, float high, const float x[restrict n], const float y[restrict n], float out[restrict n],
          int keep[restrict n])
{
    int i;
#pragma scop
    for (i = 0; i < n; i++) {
        keep[i] = 0;
        out[i] = -1;
        if (i % 3 == 1 && i > 4)
            continue;
        float r = x[i] * x[i] + y[i] * y[i];
        if (r < low || r > high) {
            out[i] = r;
            continue;
        }
        if (x[i] < 0 && y[i] < 0)
            continue;
        else
            keep[i] = 1 + (x[i] < 0);
        if (!(y[i] >= 0)) continue;
        out[i] = r / 2;
    }
#pragma endscop
}
