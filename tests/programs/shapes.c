// SET: n=12,B=3
// SET: n=7,B=2
// RUN: %treefork verify %s --set n=12,B=3 --set n=7,B=2 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Three block axes under one grid axis, 64-bit indices, and a definition before the grid band.
#include <metafork.h>
#include <stddef.h>
void shapes(long n, long B, double a[n][n][n])
{
    meta_schedule {
        long dim = n / B;
        const long last = n - 1;
        double scale = 0.5;
        meta_for (long i = 0; i < dim; i++) {
            double shift = scale * i;
            meta_for (long u = 0; u < B; u++)
                meta_for (long v = 0; v < B; v++)
                    meta_for (long w = 0; w < B; w++)
                        for (size_t k = 0; k < (size_t)dim; k++) {
                            long z = i * B + u;
                            a[z][v][(long)k * B + w] = a[z][v][(long)k * B + w] * scale + shift + (double)(last - z);
                        }
        }
    }
}
