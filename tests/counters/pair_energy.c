// SET: n=14,m=9,B=4
// SET: n=5,m=3,B=8
// RUN: %treefork verify %s --set n=14,m=9,B=4 --set n=5,m=3,B=8 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Energies of the Lennard-Jones kind over a list of neighbours of fixed length, double.
#include <metafork.h>
void pair_energy(int n, int m, int B, const double q[n][3], const int list[n][m], double e[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    double sum = 0.0;
                    for (int k = 0; k < m; k++) {
                        int o = (list[p][k] % n + n) % n;
                        double x = q[p][0] - q[o][0], y = q[p][1] - q[o][1], z = q[p][2] - q[o][2];
                        double r = 1.0 / (x * x + y * y + z * z + 1.0);
                        double r6 = r * r * r;
                        sum += 4.0 * (r6 * r6 - r6);
                    }
                    e[p] = sum;
                }
            }
    }
}
