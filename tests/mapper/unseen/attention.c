// RUN: %treefork verify %s --set n=9,d=5 --set n=1,d=1 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Attention: two products around a row-wise softmax. Plain C, as a new user wrote it.
#include <math.h>
/* softmax(Q K^T / sqrt d) V, with exp by a rational function. */
static float expo(float x) { x = 1.0f + x / 256.0f; for (int i = 0; i < 8; i++) x *= x; return x; }
void attention(int n, int d, const float Q[n][d], const float K[n][d], const float V[n][d], float S[n][n], float O[n][d])
{
    float scale = 1.0f / sqrtf((float)d);
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < d; k++)
                s += Q[i][k] * K[j][k];
            S[i][j] = s * scale;
        }
    for (int i = 0; i < n; i++) {
        float m = S[i][0];
        for (int j = 1; j < n; j++)
            m = fmaxf(m, S[i][j]);
        float z = 0;
        for (int j = 0; j < n; j++) {
            S[i][j] = expo(S[i][j] - m);
            z += S[i][j];
        }
        for (int j = 0; j < n; j++)
            S[i][j] /= z;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < d; k++) {
            float o = 0;
            for (int j = 0; j < n; j++)
                o += S[i][j] * V[j][k];
            O[i][k] = o;
        }
#pragma endscop
}
