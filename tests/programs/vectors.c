// SET: n=45,s=2,B=8,a=1.25
// SET: n=7,s=3,B=2,a=-1
// SET: n=128,s=4,B=16,a=0.5
// RUN: %treefork verify %s --set n=45,s=2,B=8,a=1.25 --set n=7,s=3,B=2,a=-1 --set n=128,s=4,B=16,a=0.5 --witness threads,cpu,opencl --device-runs %device_runs | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Several functions in a file, one of which calls the others between its own regions.
#include <metafork.h>
#define BLOCKS ((n + s * B - 1) / (s * B))
static void scale(int n, int s, int B, double a, double *restrict x)
{
    meta_schedule {
        meta_for (int i = 0; i < BLOCKS; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++)
                    if ((i * s + k) * B + j < n)
                        x[(i * s + k) * B + j] *= a;
    }
}
void copy(int n, int s, int B, const double *restrict x, double *restrict y)
{
    meta_schedule {
        meta_for (int i = 0; i < BLOCKS; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n)
                        y[p] = x[p];
                }
    }
}
void exchange(int n, int s, int B, double *restrict x, double *restrict y)
{
    meta_schedule {
        meta_for (int i = 0; i < BLOCKS; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n) {
                        double t = x[p];
                        x[p] = y[p];
                        y[p] = t;
                    }
                }
    }
}
double vectors(int n, int s, int B, double a, double *restrict x, double *restrict y)
{
    scale(n, s, B, a, x);
    exchange(n, s, B, x, y);
    meta_schedule {
        meta_for (int i = 0; i < BLOCKS; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n)
                        y[p] += x[p] * a;
                }
    }
    double sum = 0;
    for (int p = 0; p < n; p++)
        sum += y[p];
    return sum;
}
