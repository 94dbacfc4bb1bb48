#ifndef SEQUENCES_H
#define SEQUENCES_H
/* The functions of tests/sequences/Inputs/loops.c, and of the other columns' files. */

float axpydot(int n, float alpha, const float *restrict w, const float *restrict v,
              const float *restrict u, float *restrict z);
void atax(int m, int n, const float A[restrict m][n], const float x[restrict n],
          float t[restrict m], float y[restrict n]);
void bicgk(int m, int n, const float A[restrict m][n], const float p[restrict n],
           const float r[restrict m], float q[restrict m], float s[restrict n]);
void sgemv(int m, int n, float alpha, float beta, const float A[restrict m][n],
           const float x[restrict n], const float y[restrict m], float t[restrict m],
           float z[restrict m]);
void sgemvt(int m, int n, float alpha, float beta, const float A[restrict m][n],
            const float y[restrict m], const float z[restrict n], float x[restrict n],
            float w[restrict m]);
void sscal(int n, float alpha, float *x);
void gemver(int m, int n, float alpha, float beta, const float A[restrict m][n],
            const float u1[restrict m], const float v1[restrict n], const float u2[restrict m],
            const float v2[restrict n], const float y[restrict m], const float z[restrict n],
            float T[restrict m][n], float B[restrict m][n], float x[restrict n],
            float w[restrict m]);
void gesummv(int m, int n, float alpha, float beta, const float A[restrict m][n],
             const float B[restrict m][n], const float x[restrict n], float y[restrict m]);
void madd(int m, int n, const float A[restrict m][n], const float B[restrict m][n],
          float C[restrict m][n]);
void vadd(int n, const float *restrict w, const float *restrict y, const float *restrict z,
          float *restrict t, float *restrict x);
void waxpby(int n, float alpha, float beta, const float *restrict x, const float *restrict y,
            float *restrict t, float *restrict w);
#endif
