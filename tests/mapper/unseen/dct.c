// RUN: %treefork verify %s --set bh=3,bw=2 --set bh=1,bw=1 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Cosine transforms of 8 x 8 points. Plain C, as a new user wrote it.
/* 8 x 8 cosine transforms of an image, blocks independent. */
float ctab[8][8];
void dct(int bh, int bw, const float img[restrict 8 * bh][8 * bw], float out[restrict 8 * bh][8 * bw])
{
#pragma scop
    for (int by = 0; by < bh; by++)
        for (int bx = 0; bx < bw; bx++)
            for (int u = 0; u < 8; u++)
                for (int v = 0; v < 8; v++) {
                    float s = 0;
                    for (int y = 0; y < 8; y++)
                        for (int x = 0; x < 8; x++)
                            s += ctab[u][y] * ctab[v][x] * img[by * 8 + y][bx * 8 + x];
                    out[by * 8 + u][bx * 8 + v] = s;
                }
#pragma endscop
}
