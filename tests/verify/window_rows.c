// Rows of a window handed down: a thread goes down R rows, the taps of each are counted by literal loops, and of the 25 loads of a round
// five are left (leaf 1), for registers that the leaf asks for.
// RUN: %treefork verify %s --set h=4,w=64,R=5 --set h=2,w=32,R=1 --set h=2,w=32,R=0 --witness %witnesses --device-runs once | FileCheck %s
// RUN: %treefork tree %s | FileCheck --check-prefix=TREE %s
// RUN: %treefork tree %s --leaf 1 | FileCheck --check-prefix=LEAF %s
// RUN: %treefork build %s -o %t && %treefork check %t/window_rows.tree.json -o %t/certificate.json | FileCheck --check-prefix=CLAIMS %s
// CHECK-NOT: FAILED
// CHECK: {{[1-9][0-9]*}} verified, 0 failed
// TREE: registers per thread: [[LESS:[0-9]+]] <= R_B ?
// TREE: registers per thread: [[MORE:[0-9]+]] <= R_B ?
// TREE: yes: leaf 1 {{.*}}(sr)
// TREE: no: leaf 2
// LEAF: kernel, in CUDA C
// LEAF: for (int r = 0; r < R; r++) {
// LEAF-COUNT-5: = in[
// LEAF-NOT: = in[
// LEAF: in_value = in_value_2;
// CLAIMS: 0 failed, 0 not proved
#include <metafork.h>

void window_rows(int h, int w, int R, const float in[restrict R * h + 4][w + 4], float out[restrict R * h][w], const float t[restrict 5][5])
{
    int B0 = 2, B1 = 32;
    meta_schedule {
        meta_for (int v = 0; v < h / B0; v++)
            meta_for (int u = 0; u < w / B1; u++)
                meta_for (int p = 0; p < B0; p++)
                    meta_for (int q = 0; q < B1; q++) {
                        int x = u * B1 + q;
                        for (int r = 0; r < R; r++) {
                            int y = (v * B0 + p) * R + r;
                            float sum = 0;
                            for (int i = 0; i < 5; i++)
                                for (int j = 0; j < 5; j++)
                                    sum += t[i][j] * in[y + i][x + j];
                            out[y][x] = sum;
                        }
                    }
    }
}
