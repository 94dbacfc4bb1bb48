// SET: h=9,w=13,K=12,B0=2,B1=4
// SET: h=5,w=6,K=7,B0=4,B1=2
// RUN: %treefork verify %s --set h=9,w=13,K=12,B0=2,B1=4 --set h=5,w=6,K=7,B0=4,B1=2 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Steps until a point of the plane escapes, a fixed number of turns with a guard.
#include <metafork.h>
void julia(int h, int w, int K, int B0, int B1, double cr, double ci, int count[h][w])
{
    meta_schedule {
        meta_for (int i = 0; i < (h + B0 - 1) / B0; i++)
            meta_for (int j = 0; j < (w + B1 - 1) / B1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++) {
                        int y = i * B0 + u, x = j * B1 + v;
                        if (y < h && x < w) {
                            double a = 3.0 * x / w - 1.5, b = 2.0 * y / h - 1.0;
                            int steps = 0;
                            for (int k = 0; k < K; k++)
                                if (a * a + b * b <= 4.0) {
                                    double c = a * a - b * b + 0.1 * cr;
                                    b = 2.0 * a * b + 0.1 * ci;
                                    a = c;
                                    steps++;
                                }
                            count[y][x] = steps;
                        }
                    }
    }
}
