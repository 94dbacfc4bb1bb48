/* The sequences as calls of a library. */
#include "sequences.h"
#include <cblas.h>
#include <string.h>

static void fill(int n, float *x)
{
    memset(x, 0, (size_t)n * sizeof *x);
}

float axpydot(int n, float alpha, const float *restrict w, const float *restrict v,
              const float *restrict u, float *restrict z)
{
    cblas_scopy(n, w, 1, z, 1);
    cblas_saxpy(n, -alpha, v, 1, z, 1);
    return cblas_sdot(n, z, 1, u, 1);
}

void atax(int m, int n, const float A[restrict m][n], const float x[restrict n],
          float t[restrict m], float y[restrict n])
{
    cblas_sgemv(CblasRowMajor, CblasNoTrans, m, n, 1, A[0], n, x, 1, 0, t, 1);
    cblas_sgemv(CblasRowMajor, CblasTrans, m, n, 1, A[0], n, t, 1, 0, y, 1);
}

void bicgk(int m, int n, const float A[restrict m][n], const float p[restrict n],
           const float r[restrict m], float q[restrict m], float s[restrict n])
{
    cblas_sgemv(CblasRowMajor, CblasNoTrans, m, n, 1, A[0], n, p, 1, 0, q, 1);
    cblas_sgemv(CblasRowMajor, CblasTrans, m, n, 1, A[0], n, r, 1, 0, s, 1);
}

void sgemv(int m, int n, float alpha, float beta, const float A[restrict m][n],
           const float x[restrict n], const float y[restrict m], float t[restrict m],
           float z[restrict m])
{
    (void)t;
    cblas_scopy(m, y, 1, z, 1);
    cblas_sgemv(CblasRowMajor, CblasNoTrans, m, n, alpha, A[0], n, x, 1, beta, z, 1);
}

void sgemvt(int m, int n, float alpha, float beta, const float A[restrict m][n],
            const float y[restrict m], const float z[restrict n], float x[restrict n],
            float w[restrict m])
{
    cblas_scopy(n, z, 1, x, 1);
    cblas_sgemv(CblasRowMajor, CblasTrans, m, n, beta, A[0], n, y, 1, 1, x, 1);
    cblas_sgemv(CblasRowMajor, CblasNoTrans, m, n, alpha, A[0], n, x, 1, 0, w, 1);
}

void sscal(int n, float alpha, float *x)
{
    cblas_sscal(n, alpha, x, 1);
}

void gemver(int m, int n, float alpha, float beta, const float A[restrict m][n],
            const float u1[restrict m], const float v1[restrict n], const float u2[restrict m],
            const float v2[restrict n], const float y[restrict m], const float z[restrict n],
            float T[restrict m][n], float B[restrict m][n], float x[restrict n],
            float w[restrict m])
{
    (void)T;
    cblas_scopy(m * n, A[0], 1, B[0], 1);
    cblas_sger(CblasRowMajor, m, n, 1, u1, 1, v1, 1, B[0], n);
    cblas_sger(CblasRowMajor, m, n, 1, u2, 1, v2, 1, B[0], n);
    cblas_scopy(n, z, 1, x, 1);
    cblas_sgemv(CblasRowMajor, CblasTrans, m, n, beta, B[0], n, y, 1, 1, x, 1);
    cblas_sgemv(CblasRowMajor, CblasNoTrans, m, n, alpha, B[0], n, x, 1, 0, w, 1);
}

void gesummv(int m, int n, float alpha, float beta, const float A[restrict m][n],
             const float B[restrict m][n], const float x[restrict n], float y[restrict m])
{
    cblas_sgemv(CblasRowMajor, CblasNoTrans, m, n, alpha, A[0], n, x, 1, 0, y, 1);
    cblas_sgemv(CblasRowMajor, CblasNoTrans, m, n, beta, B[0], n, x, 1, 1, y, 1);
}

void madd(int m, int n, const float A[restrict m][n], const float B[restrict m][n],
          float C[restrict m][n])
{
    cblas_scopy(m * n, A[0], 1, C[0], 1);
    cblas_saxpy(m * n, 1, B[0], 1, C[0], 1);
}

void vadd(int n, const float *restrict w, const float *restrict y, const float *restrict z,
          float *restrict t, float *restrict x)
{
    (void)t;
    cblas_scopy(n, w, 1, x, 1);
    cblas_saxpy(n, 1, y, 1, x, 1);
    cblas_saxpy(n, 1, z, 1, x, 1);
}

void waxpby(int n, float alpha, float beta, const float *restrict x, const float *restrict y,
            float *restrict t, float *restrict w)
{
    (void)t;
    fill(n, w);
    cblas_saxpy(n, alpha, x, 1, w, 1);
    cblas_saxpy(n, beta, y, 1, w, 1);
}
