// SET: h=24,w=70,B0=4,B1=16
// SET: h=9,w=33,B0=1,B1=32
// RUN: %treefork verify %s --set h=24,w=70,B0=4,B1=16 --set h=9,w=33,B0=1,B1=32 --witness %witnesses --device-runs first | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Neighbours that conditions choose: a step of the game of life on a torus, with bytes.
#include <metafork.h>
void torus(int h, int w, int B0, int B1, const unsigned char a[h][w], unsigned char b[h][w])
{
    int rows = (h + B0 - 1) / B0, columns = (w + B1 - 1) / B1;
    meta_schedule {
        meta_for (int by = 0; by < rows; by++)
            meta_for (int bx = 0; bx < columns; bx++)
                meta_for (int ty = 0; ty < B0; ty++)
                    meta_for (int tx = 0; tx < B1; tx++) {
                        int y = by * B0 + ty, x = bx * B1 + tx;
                        if (y < h && x < w) {
                            int l = x == 0 ? w - 1 : x - 1, r = x == w - 1 ? 0 : x + 1;
                            int u = y == 0 ? h - 1 : y - 1, d = y == h - 1 ? 0 : y + 1;
                            int n = a[u][l] % 2 + a[u][x] % 2 + a[u][r] % 2 + a[y][l] % 2 +
                                    a[y][r] % 2 + a[d][l] % 2 + a[d][x] % 2 + a[d][r] % 2;
                            b[y][x] = n == 3 || (n == 2 && a[y][x] % 2);
                        }
                    }
    }
}
