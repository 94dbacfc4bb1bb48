#include <complex.h>

/* y += alpha x */
void axpy(int n, float complex alpha, float complex x[restrict n], float complex y[restrict n])
{
    for (int i = 0; i < n; i++)
        y[i] += alpha * x[i];
}

void mixed(int n, double complex a[restrict n], double complex b[restrict n], double complex c[restrict n])
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] * conj(b[i]) + 2 * a[i] - I * b[i] / 3;
}

static inline double complex twice(double complex z)
{
    return z * z;
}

/* Values of loops, a helper, comparisons, real numbers of complex ones. */
void parts(int n, double complex a[restrict n], double complex b[restrict n], double r[restrict n])
{
    for (int i = 0; i < n; i++) {
        double complex t = twice(a[i]) + (i % 3 ? 0.5 + r[i] * I : -b[i]);
        if (a[i] != b[i])
            t *= a[i];
        t -= 1;
        b[i] = t;
        r[i] = creal(t * conj(t)) + __imag__ t + (double)b[i];
    }
}

/* In place: both parts of the factor are read before one is stored. */
void inplace(int n, float complex z[n])
{
    for (int i = 0; i < n; i++) {
        z[i] *= z[i];
        z[i] = z[i] * (0.5f + 2.0f * I);
    }
}

void gemm(int n, float complex a[restrict n][n], float complex b[restrict n][n], float complex c[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float complex sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

/* One step of a transform. */
void butterfly(int n, double complex w[restrict n], double complex x[restrict 2 * n])
{
    for (int k = 0; k < n; k++) {
        double complex t = w[k] * x[k + n];
        x[k + n] = x[k] - t;
        x[k] += t;
    }
}

/* A number that the host changes between regions. */
void scaled(int n, double complex z[restrict n], double complex w)
{
    double complex f = 1;
    for (int t = 0; t < 3; t++) {
        f = f * w;
        for (int i = 0; i < n; i++)
            z[i] = z[i] * f;
    }
}

double complex dot(int n, double complex a[restrict n], double complex b[restrict n])
{
    double complex sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void magnitude(int n, float complex z[restrict n], float r[restrict n])
{
    for (int i = 0; i < n; i++)
        r[i] = cabsf(z[i]) + crealf(z[i] * ~z[i]);
}

/* A matrix of structures is laid out as one of complex numbers. */
struct cell {
    float re, im;
};
void cells(int n, struct cell a[restrict n][n], struct cell b[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j].re = b[j][i].im;
            a[i][j].im += 2 * b[j][i].re;
        }
}

/* A quotient of complex numbers is not understood: the loop stays as it is. */
void quotient(int n, double complex a[restrict n], double complex b[restrict n])
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] / (a[i] + 1);
}
