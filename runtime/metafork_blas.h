/* Elementary functions of linear algebra as plain C: loops and nothing else.

   Any C compiler takes them; they need nothing of Treefork, and of libm the square root of nrm2.
   Where a fragment of plain C that Treefork maps calls them, their loops count as loops of the
   fragment (docs/blas.md): a sequence of calls is mapped, and fused, as if it were written out.

   Names: mf_s… for float, mf_d… for double. REAL below stands for either.

   Shapes: vectors have n elements, x[0] to x[n - 1]. A matrix of m rows and n columns is an array
   A[m][n] as C has it, by rows without gaps. m, n and k are 0 or more; where there is no element,
   nothing is read or written, sums are 0, and pointers may be anything. The extents of matrices
   are those of the C99 type: under C++, which has no such types, only functions of vectors exist.

   Aliasing: an array that is written may be an array that is read, from the same element on, where
   a function says so ("may be x"). No other two arguments overlap. Matrices that are only read are
   not `const`, as C before C23 lets nobody give an array of rows to such a parameter.

   Order: sums are added up in the order of the indices, each in REAL. Treefork may take them in
   any order where the programmer says so (--reassociate). Values are never scaled: nrm2 overflows
   where a square does. Every argument is read whatever alpha and beta are: 0 * y[i] is no number
   where y[i] is none. */

#ifndef MF_REAL

#ifndef METAFORK_BLAS_H
#define METAFORK_BLAS_H
#include <math.h>

#define MF_REAL float
#define MF_NAME(name) mf_s##name
#define MF_SQRT sqrtf
#include "metafork_blas.h"
#undef MF_REAL
#undef MF_NAME
#undef MF_SQRT

#define MF_REAL double
#define MF_NAME(name) mf_d##name
#define MF_SQRT sqrt
#include "metafork_blas.h"
#undef MF_REAL
#undef MF_NAME
#undef MF_SQRT

#endif

#else /* MF_REAL: the functions, once for each type */

/* --- vectors ---------------------------------------------------------------------------------- */

/* y = x */
static inline void MF_NAME(copy)(int n, const MF_REAL *x, MF_REAL *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i];
}

/* x = alpha x */
static inline void MF_NAME(scal)(int n, MF_REAL alpha, MF_REAL *x)
{
    for (int i = 0; i < n; i++)
        x[i] = alpha * x[i];
}

/* y = alpha x + y; y may be x */
static inline void MF_NAME(axpy)(int n, MF_REAL alpha, const MF_REAL *x, MF_REAL *y)
{
    for (int i = 0; i < n; i++)
        y[i] = alpha * x[i] + y[i];
}

/* w = alpha x + beta y; w may be x, or y */
static inline void MF_NAME(waxpby)(int n, MF_REAL alpha, const MF_REAL *x, MF_REAL beta,
                                   const MF_REAL *y, MF_REAL *w)
{
    for (int i = 0; i < n; i++)
        w[i] = alpha * x[i] + beta * y[i];
}

/* w = x + y; w may be x, or y */
static inline void MF_NAME(vadd)(int n, const MF_REAL *x, const MF_REAL *y, MF_REAL *w)
{
    for (int i = 0; i < n; i++)
        w[i] = x[i] + y[i];
}

/* The sum of x[i] y[i]; x may be y. */
static inline MF_REAL MF_NAME(dot)(int n, const MF_REAL *x, const MF_REAL *y)
{
    MF_REAL sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* The square root of the sum of x[i] x[i]. */
static inline MF_REAL MF_NAME(nrm2)(int n, const MF_REAL *x)
{
    MF_REAL sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return MF_SQRT(sum);
}

/* The sum of |x[i]|. */
static inline MF_REAL MF_NAME(asum)(int n, const MF_REAL *x)
{
    MF_REAL sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] < 0 ? -x[i] : x[i];
    return sum;
}

/* The first index, from 0, of an element of the greatest |x[i]|; -1 if n is 0 or no element is a
   number. */
static inline int MF_NAME(iamax)(int n, const MF_REAL *x)
{
    MF_REAL most = -1;
    int at = -1;
    for (int i = 0; i < n; i++)
        if ((x[i] < 0 ? -x[i] : x[i]) > most) {
            most = x[i] < 0 ? -x[i] : x[i];
            at = i;
        }
    return at;
}

/* --- matrices: of m rows and n columns -------------------------------------------------------- */

#ifndef __cplusplus

/* B = A */
static inline void MF_NAME(mcopy)(int m, int n, MF_REAL A[][n], MF_REAL B[][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            B[i][j] = A[i][j];
}

/* C = A + B; C may be A, or B */
static inline void MF_NAME(madd)(int m, int n, MF_REAL A[][n], MF_REAL B[][n], MF_REAL C[][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            C[i][j] = A[i][j] + B[i][j];
}

/* y = A x: n elements of x, m of y */
static inline void MF_NAME(mv)(int m, int n, MF_REAL A[][n], const MF_REAL *x,
                               MF_REAL *restrict y)
{
    for (int i = 0; i < m; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += A[i][j] * x[j];
    }
}

/* y = A^T x: m elements of x, n of y */
static inline void MF_NAME(mvt)(int m, int n, MF_REAL A[][n], const MF_REAL *x, MF_REAL *y)
{
    for (int j = 0; j < n; j++)
        y[j] = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[j] += A[i][j] * x[i];
}

/* z = alpha A x + beta y: n elements of x, m of y and z; z may be y, which makes it BLAS' gemv */
static inline void MF_NAME(gemv)(int m, int n, MF_REAL alpha, MF_REAL A[][n], const MF_REAL *x,
                                 MF_REAL beta, const MF_REAL *y, MF_REAL *z)
{
    for (int i = 0; i < m; i++) {
        MF_REAL sum = 0;
        for (int j = 0; j < n; j++)
            sum += A[i][j] * x[j];
        z[i] = alpha * sum + beta * y[i];
    }
}

/* z = alpha A^T x + beta y: m elements of x, n of y and z; z may be y */
static inline void MF_NAME(gemvt)(int m, int n, MF_REAL alpha, MF_REAL A[][n], const MF_REAL *x,
                                  MF_REAL beta, const MF_REAL *y, MF_REAL *z)
{
    for (int j = 0; j < n; j++)
        z[j] = beta * y[j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            z[j] += alpha * A[i][j] * x[i];
}

/* A = alpha x y^T + A: m elements of x, n of y */
static inline void MF_NAME(ger)(int m, int n, MF_REAL alpha, const MF_REAL *x, const MF_REAL *y,
                                MF_REAL A[][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            A[i][j] += alpha * x[i] * y[j];
}

/* z = alpha A x + beta y for a symmetric A of n rows, of which A[i][j] with j <= i is read; z may
   be y */
static inline void MF_NAME(symv)(int n, MF_REAL alpha, MF_REAL A[][n], const MF_REAL *x,
                                 MF_REAL beta, const MF_REAL *y, MF_REAL *z)
{
    for (int i = 0; i < n; i++) {
        MF_REAL sum = 0;
        for (int j = 0; j <= i; j++)
            sum += A[i][j] * x[j];
        for (int j = i + 1; j < n; j++)
            sum += A[j][i] * x[j];
        z[i] = alpha * sum + beta * y[i];
    }
}

/* x = A x for a lower triangle A of n rows, of which A[i][j] with j <= i is read */
static inline void MF_NAME(trmv)(int n, MF_REAL A[][n], MF_REAL *x)
{
    for (int i = n - 1; i >= 0; i--) {
        MF_REAL sum = 0;
        for (int j = 0; j <= i; j++)
            sum += A[i][j] * x[j];
        x[i] = sum;
    }
}

/* C = alpha A B + beta C: A of m rows and k columns, B of k rows and n columns, C of m rows and n
   columns */
static inline void MF_NAME(gemm)(int m, int n, int k, MF_REAL alpha, MF_REAL A[][k],
                                 MF_REAL B[][n], MF_REAL beta, MF_REAL C[][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            MF_REAL sum = 0;
            for (int l = 0; l < k; l++)
                sum += A[i][l] * B[l][j];
            C[i][j] = alpha * sum + beta * C[i][j];
        }
}

#endif

#endif
