/* Conditions on data around loops, as the reference BLAS has them (sinking.test). */

/* The product in the order of LAPACK 3.7 and before. */
void product(int m, int n, int k, double alpha, double beta, const double *a, int lda, const double *b, int ldb, double *c,
             int ldc)
{
    double temp;
    int i, j, l;
    for (j = 0; j < n; j++) {
        if (beta == 0.) {
            for (i = 0; i < m; i++)
                c[i + j * ldc] = 0.;
        } else if (beta != 1.) {
            for (i = 0; i < m; i++)
                c[i + j * ldc] = beta * c[i + j * ldc];
        }
        for (l = 0; l < k; l++) {
            if (b[l + j * ldb] != 0.) {
                temp = alpha * b[l + j * ldb];
                for (i = 0; i < m; i++)
                    c[i + j * ldc] += temp * a[i + l * lda];
            }
        }
    }
}

/* `continue` before the loop. */
void outer(int m, int n, double alpha, const double *x, const double *y, double *a, int lda)
{
    for (int j = 0; j < n; j++) {
        if (y[j] == 0.)
            continue;
        const double temp = alpha * y[j];
        for (int i = 0; i < m; i++)
            a[i + j * lda] += x[i] * temp;
    }
}

/* The loop changes what the condition reads: rows still come one after the other, columns do not. */
void solve(int m, int n, int nounit, const double *a, int lda, double *b, int ldb)
{
    for (int j = 0; j < n; j++)
        for (int k = m - 1; k >= 0; k--) {
            if (b[k + j * ldb] != 0.) {
                if (nounit)
                    b[k + j * ldb] /= a[k + k * lda];
                for (int i = 0; i < k; i++)
                    b[i + j * ldb] -= b[k + j * ldb] * a[i + k * lda];
            }
        }
}

/* Triangular columns, bounds that are set below the condition. */
void rank(int *n, int *k, double *alpha, double *a, int *lda, double *c, int *ldc)
{
    int i, j, l, i1, i2, i3;
    double temp;
    i1 = *n;
    for (j = 0; j < i1; ++j) {
        i2 = *k;
        for (l = 0; l < i2; ++l) {
            if (a[j + l * *lda] != 0.) {
                temp = *alpha * a[j + l * *lda];
                i3 = *n;
                for (i = j; i < i3; ++i)
                    c[i + j * *ldc] += temp * a[i + l * *lda];
            }
        }
    }
}

/* Integers choose, too. */
void chosen(int m, int n, int upper, const float *x, float *c, int ldc)
{
    for (int j = 0; j < n; j++) {
        if (upper > 0) {
            for (int i = 0; i < m; i++)
                c[i + j * ldc] = x[i];
        } else {
            for (int i = 0; i < m; i++)
                c[i + j * ldc] = x[j];
        }
    }
}

/* Stays: somebody reads the iterator behind. */
int last(int m, int n, const double *x, double *c, int ldc)
{
    int i = 0;
    for (int j = 0; j < n; j++)
        if (x[j] != 0.)
            for (i = 0; i < m; i++)
                c[i + j * ldc] = 1.;
    return i;
}

/* Stays: the bound has a value only where the condition holds. */
void bounded(int n, const int *rows, double *c, int ldc)
{
    int m;
    for (int j = 0; j < n; j++) {
        if (rows[j] > 0) {
            m = rows[j];
            for (int i = 0; i < m; i++)
                c[i + j * ldc] = 1.;
        }
    }
}

/* Stays: the host's loop would launch as often, and where the condition does not hold, too. */
void steps(int m, int n, const int *asked, float *restrict c, float *restrict d)
{
    for (int j = 0; j < n; j++) {
        if (asked[j] > 0) {
            for (int i = 1; i < m - 1; i++)
                d[i] = c[i - 1] + c[i + 1];
            for (int i = 1; i < m - 1; i++)
                c[i] = d[i] * 0.5f;
        }
    }
}
