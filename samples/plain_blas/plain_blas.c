/* A x = b for a symmetric, positive definite A: rounds of conjugate gradients from the x that is given, as a script of calls. What is
   left of b, squared, is returned; r, p and q are memory for n elements. */
#include <metafork_blas.h>

float solve(int n, int rounds, float A[restrict n][n], float b[restrict n], float x[restrict n], float r[restrict n],
            float p[restrict n], float q[restrict n])
{
    float rr;
#pragma scop
    mf_sgemv(n, n, -1, A, x, 1, b, r);
    mf_scopy(n, r, p);
    rr = mf_sdot(n, r, r);
    for (int k = 0; k < rounds; k++) {
        mf_smv(n, n, A, p, q);
        float alpha = rr / (mf_sdot(n, p, q) + 1e-30f);
        mf_saxpy(n, alpha, p, x);
        mf_saxpy(n, -alpha, q, r);
        float before = rr;
        rr = mf_sdot(n, r, r);
        mf_swaxpby(n, 1, r, rr / (before + 1e-30f), p, p);
    }
#pragma endscop
    return rr;
}
