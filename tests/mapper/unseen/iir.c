// RUN: %treefork verify %s --set frames=20,channels=5,rows=6,n=13,w=4 --set frames=1,channels=1,rows=1,n=3,w=5 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Recursive filters per channel; sliding sums of rows. Plain C, as a new user wrote it.
/* Biquad filters per channel, samples interleaved; a sliding mean by running sums. */
void biquad(int frames, int channels, const float c[5], const float *restrict in, float *restrict out)
{
#pragma scop
    for (int ch = 0; ch < channels; ch++) {
        float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
        for (int t = 0; t < frames; t++) {
            float x = in[t * channels + ch];
            float y = c[0] * x + c[1] * x1 + c[2] * x2 - c[3] * y1 - c[4] * y2;
            out[t * channels + ch] = y;
            x2 = x1;
            x1 = x;
            y2 = y1;
            y1 = y;
        }
    }
#pragma endscop
}
void sliding(int rows, int n, int w, const short in[restrict rows][n], int out[restrict rows][n])
{
#pragma scop
    for (int r = 0; r < rows; r++) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += in[r][i];
            if (i >= w)
                s -= in[r][i - w];
            out[r][i] = s;
        }
    }
#pragma endscop
}
