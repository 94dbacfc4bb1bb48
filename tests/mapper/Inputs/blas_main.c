/* Every function of metafork_blas.h beside its definition, at small sizes, 0 among them. */
#include <metafork_blas.h>
#include <stdio.h>

enum { MOST = 6 };
static double A[MOST][MOST], B[MOST][MOST], C[MOST][MOST], D[MOST][MOST], x[MOST], y[MOST], w[MOST], z[MOST];
static int functions, wrong;

static void fill(void)
{
    for (int i = 0; i < MOST; i++) {
        x[i] = i * 5 % 7 - 3;
        y[i] = i * 3 % 5 - 1;
        w[i] = z[i] = i + 0.5;
        for (int j = 0; j < MOST; j++) {
            A[i][j] = (i * 4 + j * 3) % 7 - 2;
            B[i][j] = (i * 2 + j * 5) % 9 - 4;
            C[i][j] = D[i][j] = i - 2 * j;
        }
    }
}

static double at(int i, int j)
{
    return j <= i ? A[i][j] : A[j][i];
}

/* Is z as the rule says up to n, and as it was behind? */
#define VECTOR(name, call, n, rule)                                                                                    \
    do {                                                                                                               \
        fill();                                                                                                        \
        call;                                                                                                          \
        int bad = 0;                                                                                                   \
        for (int i = 0; i < MOST; i++) {                                                                               \
            double was = w[i];                                                                                         \
            bad |= z[i] != (i < (n) ? (rule) : was);                                                                   \
        }                                                                                                              \
        wrong += bad;                                                                                                  \
        if (bad)                                                                                                       \
            printf("%s is wrong, n = %d\n", name, n);                                                                  \
    } while (0)

static double row(int i, int n, int turned, const double *v)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += (turned ? A[j][i] : A[i][j]) * v[j];
    return sum;
}

static double symmetric(int i, int n)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += at(i, j) * x[j];
    return sum;
}

static double sum_of(int n, int kind)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += kind == 0 ? x[i] * y[i] : kind == 1 ? x[i] * x[i] : x[i] < 0 ? -x[i] : x[i];
    return kind == 1 ? sqrt(sum) : sum;
}

static int greatest(int n)
{
    int found = -1;
    for (int i = 0; i < n; i++)
        if (found < 0 || (x[i] < 0 ? -x[i] : x[i]) > (x[found] < 0 ? -x[found] : x[found]))
            found = i;
    return found;
}

static void vectors(int n)
{
    VECTOR("copy", mf_dcopy(n, x, z), n, x[i]);
    VECTOR("scal", mf_dscal(n, 2, z), n, 2 * was);
    VECTOR("axpy", mf_daxpy(n, 3, x, z), n, 3 * x[i] + was);
    VECTOR("waxpby", mf_dwaxpby(n, 2, x, -1, y, z), n, 2 * x[i] - y[i]);
    VECTOR("vadd", mf_dvadd(n, x, y, z), n, x[i] + y[i]);
    fill();
    wrong += mf_ddot(n, x, y) != sum_of(n, 0);
    wrong += mf_dnrm2(n, x) != sum_of(n, 1);
    wrong += mf_dasum(n, x) != sum_of(n, 2);
    wrong += mf_diamax(n, x) != greatest(n);
    functions = 9;
}

#define MATRIX(name, call, rule)                                                                                       \
    do {                                                                                                               \
        fill();                                                                                                        \
        call;                                                                                                          \
        for (int i = 0; i < MOST; i++)                                                                                 \
            for (int j = 0; j < MOST; j++)                                                                             \
                if (C[i][j] != (i < m ? (rule) : D[i][j])) {                                                           \
                    printf("%s is wrong, m = %d\n", name, m);                                                          \
                    wrong++;                                                                                           \
                }                                                                                                      \
    } while (0)

static double product(int i, int j)
{
    double sum = 0;
    for (int l = 0; l < MOST; l++)
        sum += A[i][l] * B[l][j];
    return sum;
}

static void matrices(int m)
{
    MATRIX("mcopy", mf_dmcopy(m, MOST, A, C), A[i][j]);
    MATRIX("madd", mf_dmadd(m, MOST, A, B, C), A[i][j] + B[i][j]);
    MATRIX("ger", mf_dger(m, MOST, 2, x, y, C), D[i][j] + 2 * x[i] * y[j]);
    MATRIX("gemm", mf_dgemm(m, MOST, MOST, 2, A, B, 3, C), 2 * product(i, j) + 3 * D[i][j]);
    VECTOR("mv", mf_dmv(m, MOST, A, x, z), m, row(i, MOST, 0, x));
    VECTOR("mvt", mf_dmvt(m, MOST, A, x, z), MOST, row(i, m, 1, x));
    VECTOR("gemv", mf_dgemv(m, MOST, 2, A, x, 3, z, z), m, 2 * row(i, MOST, 0, x) + 3 * was);
    VECTOR("gemvt", mf_dgemvt(m, MOST, 2, A, x, 3, y, z), MOST, 2 * row(i, m, 1, x) + 3 * y[i]);
    VECTOR("symv", mf_dsymv(m, 2, A, x, 3, y, z), m, 2 * symmetric(i, m) + 3 * y[i]);
    VECTOR("trmv", mf_dtrmv(m, A, z), m, row(i, i + 1, 0, w));
    functions = 19;
}

int main(void)
{
    float f[2] = {3, 4};
    for (int n = 0; n <= MOST; n++) {
        vectors(n);
        if (n == 0 || n == MOST)
            matrices(n);
    }
    wrong += mf_sdot(2, f, f) != 25 || mf_snrm2(2, f) != 5;
    printf("%d functions, %d wrong\n", functions, wrong);
    return wrong > 0;
}
