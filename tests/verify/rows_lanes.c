// Rows of two axes: a softmax, whose exponentials are stored beside their sum, and a normalization of vectors in flat memory, with
// common sums, extremes and elements. Where threads go in step (leaf 1) a row has 16 threads; all leaves have the same bits.
// RUN: %treefork verify %s --all --reassociate --set heads=2,rows=5,n=37,batch=2,time=3,c=70 --set heads=1,rows=3,n=1,batch=1,time=1,c=16 --witness %witnesses --device-runs once | FileCheck %s
// RUN: %treefork tree %s --all --reassociate | FileCheck --check-prefix=TREE %s
// CHECK-NOT: FAILED
// CHECK: {{[1-9][0-9]*}} verified, 0 failed
// TREE-LABEL: softmax: {{[0-9]+}} cases
// TREE: threads in lockstep: 2 <= W_B ?
// TREE: yes: threads per block: 16*B{{[0-9]+}}*B{{[0-9]+}} <= T_B ?
// TREE-LABEL: normalize: {{[0-9]+}} cases
// TREE: threads in lockstep: 2 <= W_B ?
// TREE: yes: threads per block: 16*B{{[0-9]+}}*B{{[0-9]+}} <= T_B ?
#include <math.h>

#define LARGER(a, b) ((a) > (b) ? (a) : (b))

void softmax(int heads, int rows, int n, const float in[restrict heads][rows][n], float out[restrict heads][rows][n])
{
    int h, r, j;
    for (h = 0; h < heads; h++)
        for (r = 0; r < rows; r++) {
            float most = in[h][r][0], sum = 0;
            for (j = 1; j < n; j++)
                most = LARGER(most, in[h][r][j]);
            for (j = 0; j < n; j++) {
                out[h][r][j] = expf(in[h][r][j] - most);
                sum += out[h][r][j];
            }
            for (j = 0; j < n; j++)
                out[h][r][j] /= sum;
        }
}

void normalize(double *restrict to, double *restrict means, const double *restrict from, const double *restrict weight, int batch,
               int time, int c)
{
    for (int b = 0; b < batch; b++)
        for (int t = 0; t < time; t++) {
            const double *x = from + b * time * c + t * c;
            double *y = to + b * time * c + t * c, mean = 0, spread = 0, largest = 0;
            for (int i = 0; i < c; i++)
                mean += x[i];
            mean /= c;
            for (int i = 0; i < c; i++) {
                spread += (x[i] - mean) * (x[i] - mean);
                largest = fmax(largest, fabs(x[i]));
            }
            double scale = 1 / sqrt(spread / c + 1e-5);
            if (largest > 0)
                for (int i = 0; i < c; i++)
                    y[i] = (x[i] - mean) * scale * weight[i];
            means[b * time + t] = mean;
        }
}
