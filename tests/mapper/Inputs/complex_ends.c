/* Products of complex numbers that are infinite or none, and a walk that leaves the plane: what Annex G says, as gcc has it. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
void julia(int n, int m, double complex c, const double complex *restrict z0, int *restrict k,
           double *restrict r) {
    for (int i = 0; i < n; i++) {
        double complex z = z0[i];
        for (int j = 0; j < m; j++)
            z = z * z + c;
        k[i] = cabs(z) > 2;
        r[i] = creal(z * conj(z));
    }
}
void mul(int n, const float complex *restrict a, const float complex *restrict b,
         float complex *restrict c) {
    for (int i = 0; i < n; i++)
        c[i] = a[i] * b[i];
}
void muld(int n, const double complex *restrict a, const double complex *restrict b,
          double complex *restrict c) {
    for (int i = 0; i < n; i++) {
        double complex t = a[i] * b[i];
        if (cabs(t * t) > 4)
            t *= b[i];
        c[i] = t;
    }
}
static double complex mk(double x, double y) {
    double complex z;
    double *p = (double *)&z;
    p[0] = x;
    p[1] = y;
    return z;
}
static float complex mkf(float x, float y) {
    float complex z;
    float *p = (float *)&z;
    p[0] = x;
    p[1] = y;
    return z;
}
int main(void) {
    static double complex z[64 * 64], a[4096], b[4096], c[4096];
    static float complex fa[4096], fb[4096], fc[4096];
    static int k[4096];
    static double r[4096];
    int s = 0;
    for (int i = 0; i < 4096; i++)
        z[i] = mk((i % 64) / 16. - 2, (i / 64) / 16. - 2);
    double v[] = {0, -0.0, 1, -2, INFINITY, -INFINITY, NAN, 1e308};
    float w[] = {0, -0.0f, 1, -2, INFINITY, -INFINITY, NAN, 1e38f};
    for (int i = 0; i < 4096; i++) {
        a[i] = mk(v[i & 7], v[i >> 3 & 7]);
        b[i] = mk(v[i >> 6 & 7], v[i >> 9]);
        fa[i] = mkf(w[i & 7], w[i >> 3 & 7]);
        fb[i] = mkf(w[i >> 6 & 7], w[i >> 9]);
    }
    julia(4096, 40, -0.4 + 0.6 * I, z, k, r);
    mul(4096, fa, fb, fc);
    muld(4096, a, b, c);
#define P(x) (isnan(x) ? 7777 : x)
    for (int i = 0; i < 4096; i++) {
        s += k[i];
        printf("%d %g %g %g %g %g\n", k[i], P(r[i]), P(crealf(fc[i])), P(cimagf(fc[i])),
               P(creal(c[i])), P(cimag(c[i])));
    }
    printf("%d\n", s);
    return 0;
}
