// SET: m=13,n=5,B=4,r=2,w=9
// SET: m=1,n=1,B=3,r=0,w=1
// SET: m=8,n=3,B=8,r=7,w=7
// RUN: %treefork verify %s --set m=13,n=5,B=4,r=2,w=9 --set m=1,n=1,B=3,r=0,w=1 --set m=8,n=3,B=8,r=7,w=7 --witness %witnesses --device-runs once 2>&1 | FileCheck %s
// CHECK-NOT: believed
// CHECK-NOT: proved independent only
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// What is legal because of numbers, not of digits: both triangles of a matrix from one, in rows and flat; a wavefront;
// a diagonal; single elements under guards that one number meets. Nothing may be believed.
#include <metafork.h>
void mirrored(int m, int n, int B, int r, int w, const float data[restrict n][m], float cov[restrict m][m], float *restrict flat,
              float board[restrict m][m], float *restrict ends)
{
    meta_schedule {
        meta_for (int gi = 0; gi < (m + B - 1) / B; gi++)
            meta_for (int gj = 0; gj < (m + B - 1) / B; gj++) {
                ;
                meta_for (int a = 0; a < B; a++)
                    meta_for (int b = 0; b < B; b++) {
                        int i = gi * B + a, j = gj * B + b;
                        if (i < m && j < m && i <= j) {
                            float s = 0;
                            for (int k = 0; k < n; k++)
                                s += data[k][i] * data[k][j];
                            cov[i][j] = s;
                            cov[j][i] = cov[i][j];
                            flat[i * m + j] = s + 1;
                            flat[j * m + i] = s + 1;
                        }
                    }
            }
    }
    meta_schedule {
        meta_for (int g = 0; g < (m + B - 1) / B; g++) {
            ;
            meta_for (int l = 0; l < B; l++) {
                int x = g * B + l;
                if (x < m) {
                    int y = w - x;
                    if (y >= 0 && y < m)
                        board[x][y] = board[x][y] < board[x][r] + board[r][y] ? board[x][y] : board[x][r] + board[r][y];
                    if (x == 0)
                        ends[1] = cov[0][0];
                    if (x == m - 1)
                        ends[0] = cov[x][x];
                }
            }
        }
    }
    meta_schedule {
        meta_for (int g = 0; g < (m + B - 1) / B; g++) {
            ;
            meta_for (int l = 0; l < B; l++)
                if (g * B + l < m - r && r >= 1) {
                    int row = g * B + l, column = row + r;
                    float best = flat[row * m + column];
                    for (int k = row + 1; k < column; k++)
                        best += flat[row * m + k] * flat[(k + 1) * m + column];
                    flat[row * m + column] = best;
                }
        }
    }
}
