// SET: n=18,T=3,B=4
// SET: n=7,T=2,B=2
// RUN: %treefork verify %s --set n=18,T=3,B=4 --set n=7,T=2,B=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Runge and Kutta's fourth order on three coupled equations, a trajectory per thread, double.
#include <metafork.h>
void lorenz(int n, int T, int B, double dt, double state[n][3])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    double x = 0.01 * state[p][0], y = 0.01 * state[p][1], z = 0.01 * state[p][2], h = 0.001 * dt;
                    for (int t = 0; t < T; t++) {
                        double ax = 10.0 * (y - x), ay = x * (28.0 - z) - y, az = x * y - 8.0 / 3.0 * z;
                        double u = x + 0.5 * h * ax, v = y + 0.5 * h * ay, w = z + 0.5 * h * az;
                        double bx = 10.0 * (v - u), by = u * (28.0 - w) - v, bz = u * v - 8.0 / 3.0 * w;
                        u = x + 0.5 * h * bx;
                        v = y + 0.5 * h * by;
                        w = z + 0.5 * h * bz;
                        double cx = 10.0 * (v - u), cy = u * (28.0 - w) - v, cz = u * v - 8.0 / 3.0 * w;
                        u = x + h * cx;
                        v = y + h * cy;
                        w = z + h * cz;
                        double ex = 10.0 * (v - u), ey = u * (28.0 - w) - v, ez = u * v - 8.0 / 3.0 * w;
                        x += h / 6.0 * (ax + 2.0 * bx + 2.0 * cx + ex);
                        y += h / 6.0 * (ay + 2.0 * by + 2.0 * cy + ey);
                        z += h / 6.0 * (az + 2.0 * bz + 2.0 * cz + ez);
                    }
                    state[p][0] = x;
                    state[p][1] = y;
                    state[p][2] = z;
                }
            }
    }
}
