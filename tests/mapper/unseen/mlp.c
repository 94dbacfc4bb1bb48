// RUN: %treefork verify %s --set batch=5,in=4,hid=6,out=3,rate=1 --set batch=1,in=1,hid=1,out=1,rate=1 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// One training step of a perceptron. Plain C, as a new user wrote it.
/* One training step of a perceptron with a hidden layer on a batch. */
void train(int batch, int in, int hid, int out, float rate, const float X[restrict batch][in], const float Y[restrict batch][out],
           float W1[restrict in][hid], float W2[restrict hid][out], float A[restrict batch][hid], float P[restrict batch][out],
           float dP[restrict batch][out], float dA[restrict batch][hid])
{
#pragma scop
    for (int b = 0; b < batch; b++)
        for (int h = 0; h < hid; h++) {
            float s = 0;
            for (int i = 0; i < in; i++)
                s += X[b][i] * W1[i][h];
            A[b][h] = s > 0 ? s : 0.01f * s;
        }
    for (int b = 0; b < batch; b++)
        for (int o = 0; o < out; o++) {
            P[b][o] = 0;
            for (int h = 0; h < hid; h++)
                P[b][o] += A[b][h] * W2[h][o];
            dP[b][o] = 2 * (P[b][o] - Y[b][o]) / batch;
        }
    for (int b = 0; b < batch; b++)
        for (int h = 0; h < hid; h++) {
            float s = 0;
            for (int o = 0; o < out; o++)
                s += dP[b][o] * W2[h][o];
            dA[b][h] = A[b][h] > 0 ? s : 0.01f * s;
        }
    for (int h = 0; h < hid; h++)
        for (int o = 0; o < out; o++)
            for (int b = 0; b < batch; b++)
                W2[h][o] -= rate * A[b][h] * dP[b][o];
    for (int i = 0; i < in; i++)
        for (int h = 0; h < hid; h++)
            for (int b = 0; b < batch; b++)
                W1[i][h] -= rate * X[b][i] * dA[b][h];
#pragma endscop
}
