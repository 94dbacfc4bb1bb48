// SET: steps=4,t=1,n=21,B=4,c2=0.25
// SET: steps=1,t=2,n=2,B=1,c2=0.5
// SET: steps=5,t=3,n=66,B=16,c2=0.125
// RUN: %treefork verify %s --set steps=4,n=21,B=4,c2=0.25 --set steps=1,n=2,B=1,c2=0.5 --set steps=5,n=66,B=16,c2=0.125 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A wave in one dimension with three time levels, chosen by t modulo 3.
#include <metafork.h>
void wave(int steps, int n, int B, double c2, double u[3][n])
{
    for (int t = 1; t < steps; t++)
        meta_schedule cache(u) {
            meta_for (int i = 0; i < (n - 2) / B; i++)
                meta_for (int j = 0; j < B; j++) {
                    int x = i * B + j + 1;
                    if (t % 3 == 0)
                        u[1][x] = 2 * u[0][x] - u[2][x] + c2 * (u[0][x - 1] - 2 * u[0][x] + u[0][x + 1]);
                    else if (t % 3 == 1)
                        u[2][x] = 2 * u[1][x] - u[0][x] + c2 * (u[1][x - 1] - 2 * u[1][x] + u[1][x + 1]);
                    else
                        u[0][x] = 2 * u[2][x] - u[1][x] + c2 * (u[2][x - 1] - 2 * u[2][x] + u[2][x + 1]);
                }
        }
}
