/* The eleven sequences of calls that kernel fusion was shown by (docs/blas.md). */
#include <metafork_blas.h>

float axpydot(int n, float alpha, float w[restrict n], float v[restrict n], float u[restrict n],
              float z[restrict n])
{
    float r;
#pragma scop
    mf_scopy(n, w, z);
    mf_saxpy(n, -alpha, v, z);
    r = mf_sdot(n, z, u);
#pragma endscop
    return r;
}

void atax(int m, int n, float A[restrict m][n], float x[restrict n], float t[restrict m],
          float y[restrict n])
{
#pragma scop
    mf_smv(m, n, A, x, t);
    mf_smvt(m, n, A, t, y);
#pragma endscop
}

void bicgk(int m, int n, float A[restrict m][n], float p[restrict n], float q[restrict m],
           float r[restrict m], float s[restrict n])
{
#pragma scop
    mf_smv(m, n, A, p, q);
    mf_smvt(m, n, A, r, s);
#pragma endscop
}

void sgemv(int m, int n, float alpha, float beta, float A[restrict m][n], float x[restrict n],
           float y[restrict m], float z[restrict m])
{
#pragma scop
    mf_sgemv(m, n, alpha, A, x, beta, y, z);
#pragma endscop
}

void sgemvt(int m, int n, float alpha, float beta, float A[restrict m][n], float x[restrict n],
            float y[restrict m], float z[restrict n], float w[restrict m])
{
#pragma scop
    mf_sgemvt(m, n, beta, A, y, 1, z, x);
    mf_smv(m, n, A, x, w);
    mf_sscal(m, alpha, w);
#pragma endscop
}

void sscal(int n, float alpha, float x[restrict n])
{
#pragma scop
    mf_sscal(n, alpha, x);
#pragma endscop
}

void gemver(int m, int n, float alpha, float beta, float A[restrict m][n], float B[restrict m][n],
            float u1[restrict m], float v1[restrict n], float u2[restrict m], float v2[restrict n],
            float y[restrict m], float z[restrict n], float x[restrict n], float w[restrict m])
{
#pragma scop
    mf_smcopy(m, n, A, B);
    mf_sger(m, n, 1, u1, v1, B);
    mf_sger(m, n, 1, u2, v2, B);
    mf_sgemvt(m, n, beta, B, y, 1, z, x);
    mf_smv(m, n, B, x, w);
    mf_sscal(m, alpha, w);
#pragma endscop
}

void gesummv(int m, int n, float alpha, float beta, float A[restrict m][n], float B[restrict m][n],
             float x[restrict n], float y[restrict m])
{
#pragma scop
    mf_smv(m, n, A, x, y);
    mf_sgemv(m, n, beta, B, x, alpha, y, y);
#pragma endscop
}

void madd(int m, int n, float A[restrict m][n], float B[restrict m][n], float C[restrict m][n])
{
#pragma scop
    mf_smadd(m, n, A, B, C);
#pragma endscop
}

void vadd(int n, float w[restrict n], float y[restrict n], float z[restrict n],
          float x[restrict n], float t[restrict n])
{
#pragma scop
    mf_svadd(n, w, y, t);
    mf_svadd(n, t, z, x);
#pragma endscop
}

void waxpby(int n, float alpha, float beta, float x[restrict n], float y[restrict n],
            float w[restrict n])
{
#pragma scop
    mf_swaxpby(n, alpha, x, beta, y, w);
#pragma endscop
}
