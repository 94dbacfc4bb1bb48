// SET: h=22,w=17,B0=4,B1=4
// SET: h=8,w=9,B0=2,B1=3
// RUN: %treefork verify %s --set h=22,w=17,B0=4,B1=4 --set h=8,w=9,B0=2,B1=3 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Least of five neighbours, in integers and without staging.
#include <metafork.h>
void stencil2_erode(int h, int w, int B0, int B1, const int a[h][w], int b[h][w])
{
    meta_schedule {
        meta_for (int i = 0; i < (h - 2) / B0; i++)
            meta_for (int j = 0; j < (w - 2) / B1; j++)
                meta_for (int u = 0; u < B0; u++)
                    meta_for (int v = 0; v < B1; v++) {
                        int y = i * B0 + u + 1, x = j * B1 + v + 1;
                        int least = a[y][x];
                        least = a[y - 1][x] < least ? a[y - 1][x] : least;
                        least = a[y + 1][x] < least ? a[y + 1][x] : least;
                        least = a[y][x - 1] < least ? a[y][x - 1] : least;
                        least = a[y][x + 1] < least ? a[y][x + 1] : least;
                        b[y][x] = least;
                    }
    }
}
