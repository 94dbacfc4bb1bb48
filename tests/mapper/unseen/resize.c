// RUN: %treefork verify %s --set sh=5,sw=4,dh=7,dw=9 --set sh=1,sw=1,dh=2,dw=3 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Bilinear resize of three channels, with clamped neighbours. Plain C, as a new user wrote it.
/* Bilinear resize of a picture of three channels. */
void resize(int sh, int sw, const float src[restrict sh][sw][3], int dh, int dw, float dst[restrict dh][dw][3])
{
    const float fy = (float)sh / dh, fx = (float)sw / dw;
#pragma scop
    for (int y = 0; y < dh; y++)
        for (int x = 0; x < dw; x++) {
            float sy = (y + 0.5f) * fy - 0.5f, sx = (x + 0.5f) * fx - 0.5f;
            int y0 = (int)sy, x0 = (int)sx;
            if (y0 < 0) y0 = 0;
            if (x0 < 0) x0 = 0;
            int y1 = y0 + 1 < sh ? y0 + 1 : sh - 1;
            int x1 = x0 + 1 < sw ? x0 + 1 : sw - 1;
            float ay = sy - y0, ax = sx - x0;
            for (int c = 0; c < 3; c++)
                dst[y][x][c] = (1 - ay) * ((1 - ax) * src[y0][x0][c] + ax * src[y0][x1][c]) + ay * ((1 - ax) * src[y1][x0][c] + ax * src[y1][x1][c]);
        }
#pragma endscop
}
